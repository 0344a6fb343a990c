"""Types have CUDA's layout and a Metal name that fits their MLX dtype."""

import pytest

from cu2mlx.transpiler.model.types import canonical
from cu2mlx.transpiler.tables.constants import CONSTANTS
from cu2mlx.transpiler.tables.types import TYPES

BYTES = {
    "bool_": 1, "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4,
    "int64": 8, "uint64": 8, "float16": 2, "bfloat16": 2, "float32": 4,
}  # fmt: skip

# sizeof and alignof from the CUDA C++ Programming Guide, table "Alignment Requirements".
LAYOUT = {
    "char1": (1, 1), "char2": (2, 2), "char3": (3, 1), "char4": (4, 4),
    "short1": (2, 2), "short2": (4, 4), "short3": (6, 2), "short4": (8, 8),
    "int1": (4, 4), "int2": (8, 8), "int3": (12, 4), "int4": (16, 16),
    "longlong1": (8, 8), "longlong2": (16, 16), "longlong3": (24, 8), "longlong4": (32, 16),
    "float1": (4, 4), "float2": (8, 8), "float3": (12, 4), "float4": (16, 16),
    "double1": (8, 8), "double2": (16, 16), "double3": (24, 8), "double4": (32, 16),
    "__half2": (4, 4), "__nv_bfloat162": (4, 4), "dim3": (12, 4), "size_t": (8, 8), "long": (8, 8),
}  # fmt: skip


@pytest.mark.parametrize(("name", "layout"), LAYOUT.items())
def test_layout_is_cudas(name: str, layout: tuple[int, int]) -> None:
    assert (TYPES[name].size, TYPES[name].alignment) == layout


@pytest.mark.parametrize("name", TYPES)
def test_rows_are_consistent(name: str) -> None:
    row = TYPES[name]
    assert row.size % row.alignment == 0
    if row.code is None:
        assert row.metal is not None and row.dtype is not None
        assert row.size == BYTES[row.dtype] * row.lanes
        assert row.narrowed is None
    else:
        assert row.metal is None and row.dtype is None


@pytest.mark.parametrize("name", TYPES)
def test_names_are_in_the_models_spelling(name: str) -> None:
    assert canonical(name) in TYPES


@pytest.mark.parametrize(
    ("cuda", "metal"),
    [
        ("unsigned int", "uint"), ("long long", "long"), ("unsigned long long", "ulong"), ("size_t", "ulong"),
        ("uint8_t", "uchar"), ("signed char", "char"), ("__half", "half"), ("half2", "half2"),
        ("__nv_bfloat16", "bfloat"), ("c10::BFloat16", "bfloat"), ("at::Half", "half"),
        ("nv_bfloat162", "bfloat2"),
        ("float4", "float4"), ("ulonglong2", "ulong2"), ("longlong4", "long4"), ("dim3", "uint3"),
        ("cuFloatComplex", "float2"), ("float1", "cu::vec1<float>"),
    ],
)  # fmt: skip
def test_metal_names(cuda: str, metal: str) -> None:
    assert TYPES[cuda].metal == metal


def test_double_narrows_to_float_of_as_many_lanes() -> None:
    assert TYPES["double"].narrowed == "float"
    assert TYPES["double3"].narrowed == "float3"
    assert TYPES["long double"].narrowed is None


@pytest.mark.parametrize(
    ("cuda", "metal"),
    [
        ("CUDART_INF_F", "INFINITY"), ("FLT_MAX", "FLT_MAX"), ("M_PI", "M_PI_F"), ("HUGE_VALF", "INFINITY"),
        ("INT_MAX", "numeric_limits<int>::max()"), ("UINT_MAX", "numeric_limits<uint>::max()"),
        ("LLONG_MIN", "numeric_limits<long>::min()"), ("CUDART_ONE_FP16", "as_type<half>(ushort(0x3c00))"),
        ("CUDART_INF_BF16", "as_type<bfloat>(ushort(0x7f80))"), ("CUDART_NEG_ZERO_F", "(-0.0f)"),
    ],
)  # fmt: skip
def test_constants(cuda: str, metal: str) -> None:
    assert CONSTANTS[cuda].spelling == metal


def test_float_constants_have_cudas_value() -> None:
    import math

    values = {
        "CUDART_THIRD_F": 1 / 3, "CUDART_3PIO4_F": 0.75 * math.pi, "CUDART_L2T_F": math.log2(10),
        "CUDART_LG2_F": math.log10(2), "CUDART_LNPI_F": math.log(math.pi), "CUDART_TWO_TO_126_F": 2.0**126,
        "CUDART_SQRT_2OPI_F": math.sqrt(2 / math.pi),
    }  # fmt: skip
    for name, value in values.items():
        assert float(CONSTANTS[name].spelling.removesuffix("f")) == pytest.approx(value, rel=6e-8), name
