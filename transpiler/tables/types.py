"""CUDA's type names: Metal's name, MLX's dtype, and CUDA's size and alignment in bytes."""

from typing import NamedTuple

from cu2mlx.transpiler.tables.vector import ELEMENTS


class TypeRow(NamedTuple):
    """One type. `dtype` is MLX's for one lane, None where MLX has none; `size` and `alignment` are CUDA's.

    `code` refuses the type; `narrowed` is its Metal name under `--double=float`.
    """

    metal: str | None
    dtype: str | None
    size: int
    alignment: int
    lanes: int = 1
    code: str | None = None
    narrowed: str | None = None


# Metal's name → (MLX dtype, bytes)
_SCALARS: dict[str, tuple[str, int]] = {
    "bool": ("bool_", 1),
    "char": ("int8", 1),
    "uchar": ("uint8", 1),
    "short": ("int16", 2),
    "ushort": ("uint16", 2),
    "int": ("int32", 4),
    "uint": ("uint32", 4),
    "long": ("int64", 8),
    "ulong": ("uint64", 8),
    "half": ("float16", 2),
    "bfloat": ("bfloat16", 2),
    "float": ("float32", 4),
}

# Metal's name → what CUDA source calls it (canonical spelling: `unsigned int`, never `unsigned`). `long` is
# 64 bits wide on both sides.
_NAMES: dict[str, tuple[str, ...]] = {
    "bool": ("bool",),
    "char": ("char", "signed char", "int8_t"),
    "uchar": ("unsigned char", "uint8_t", "uchar", "u_char"),
    "short": ("short", "int16_t"),
    "ushort": ("unsigned short", "uint16_t", "ushort", "u_short"),
    "int": ("int", "int32_t", "int_fast32_t"),
    "uint": ("unsigned int", "unsigned", "uint32_t", "uint", "u_int"),
    "long": ("long", "long long", "int64_t", "ptrdiff_t", "intptr_t", "ssize_t", "clock_t"),
    "ulong": ("unsigned long", "unsigned long long", "uint64_t", "size_t", "uintptr_t", "ulong"),
    "half": ("__half", "half", "__half_raw", "nv_half", "at::Half", "c10::Half", "_Float16"),
    "bfloat": ("__nv_bfloat16", "nv_bfloat16", "__nv_bfloat16_raw", "at::BFloat16", "c10::BFloat16"),
    "float": ("float", "float32_t"),
}
_PAIRS: dict[str, tuple[str, ...]] = {
    "half2": ("__half2", "half2", "__half2_raw", "nv_half2"),
    "bfloat2": ("__nv_bfloat162", "nv_bfloat162", "__nv_bfloat162_raw"),
}
_COMPLEX = ("cuComplex", "cuFloatComplex")
_WIDE = ("long double", "__int128", "unsigned __int128", "__int128_t", "__uint128_t", "__float128")
_GENERATORS = tuple(  # cuRAND's, but for Philox, which headers/curand_kernel.h has
    f"{generator}{suffix}"
    for generator in ("curandState", "curandStateXORWOW", "curandStateMRG32k3a", "curandStateMtgp32")
    for suffix in ("", "_t")
)
_NARROW_FLOATS = (  # but for e4m3 and e5m2, which headers/cuda_fp8.h has
    *("__nv_fp8_e8m0", "__nv_fp8x2_e4m3", "__nv_fp8x4_e4m3", "__nv_fp8x2_e5m2", "__nv_fp8x4_e5m2"),
    *("__nv_fp6_e2m3", "__nv_fp6_e3m2", "__nv_fp4_e2m1", "c10::Float8_e4m3fn", "c10::Float8_e5m2"),
)
_MAXIMUM_ALIGNMENT = 16


def _vector_alignment(lane_bytes: int, lanes: int) -> int:
    """CUDA aligns vectors of one and three lanes like one lane, others like their size, to 16 at most."""
    return lane_bytes if lanes in (1, 3) else min(lane_bytes * lanes, _MAXIMUM_ALIGNMENT)


def _vector(msl: str, lanes: int) -> TypeRow:
    dtype, size = _SCALARS[msl]
    name = f"{msl}{lanes}" if lanes > 1 else f"cu::vec1<{msl}>"
    return TypeRow(name, dtype, size * lanes, _vector_alignment(size, lanes), lanes)


def _double_vector(lanes: int) -> TypeRow:
    narrowed = f"float{lanes}" if lanes > 1 else "cu::vec1<float>"
    return TypeRow(None, None, 8 * lanes, _vector_alignment(8, lanes), lanes, "CU3101", narrowed)


TYPES: dict[str, TypeRow] = {
    **{
        cuda: TypeRow(msl, *_SCALARS[msl], _SCALARS[msl][1])
        for msl, names in _NAMES.items()
        for cuda in names
    },
    **{
        f"{element}{lanes}": _vector(msl, lanes)
        for element, (_, msl) in ELEMENTS.items()
        for lanes in (1, 2, 3, 4)
    },
    **{cuda: _vector(msl[:-1], 2) for msl, names in _PAIRS.items() for cuda in names},
    **{cuda: TypeRow("float2", "float32", 8, 8, 2) for cuda in _COMPLEX},
    "dim3": TypeRow("uint3", "uint32", 12, 4, 3),
    "double": TypeRow(None, None, 8, 8, 1, "CU3101", "float"),
    "float64_t": TypeRow(None, None, 8, 8, 1, "CU3101", "float"),
    "cuDoubleComplex": TypeRow(None, None, 16, 16, 2, "CU3101", "float2"),
    **{f"double{lanes}": _double_vector(lanes) for lanes in (1, 2, 3, 4)},
    **{cuda: TypeRow(None, None, 16, 16, 1, "CU3102") for cuda in _WIDE},
    **{cuda: TypeRow(None, None, 1, 1, 1, "CU3103") for cuda in _NARROW_FLOATS},
    **{cuda: TypeRow(None, None, 48, 8, 1, "CU3307") for cuda in _GENERATORS},
    "cudaTextureObject_t": TypeRow(None, None, 8, 8, 1, "CU3303"),
    "cudaSurfaceObject_t": TypeRow(None, None, 8, 8, 1, "CU3304"),
}
