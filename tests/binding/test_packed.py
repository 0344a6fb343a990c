"""Kernels with more values than Metal has buffers: scalars of one dtype are handed over as arrays."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from test_module import load

from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.transpiler.binding.cuda_text import cuda_body
from cu2mlx.transpiler.binding.generator import Instance, generated_source
from cu2mlx.transpiler.binding.interface import KernelInterface
from cu2mlx.transpiler.binding.signature import MAXIMUM_BUFFERS, signature
from cu2mlx.transpiler.pipeline import Translation, translate
from cu2mlx.transpiler.source import SourceFile, read_source
from tests.golden.test_golden_sources import FOLDER

mx = pytest.importorskip("mlx.core")
_INTS, _TYPED = [f"s{place}" for place in range(10)], [f"c{place}" for place in range(10)]


def _weighted(values: int, buffers: int = 1, type_: str = "int") -> Translation:
    """A kernel that adds `values` numbers, the first once, the second twice and so on, and the first of each buffer."""
    names, arrays = [f"v{place}" for place in range(values)], [f"x{place}" for place in range(buffers)]
    declared = [
        *(f"const float* {name}" for name in arrays),
        *(f"{type_} {name}" for name in names),
        "float* y",
    ]
    terms = [*(f"v{place} * {place + 1}" for place in range(values)), *(f"{name}[0]" for name in arrays)]
    text = f"__global__ void k({', '.join(declared)}) {{ y[threadIdx.x] = {' + '.join(terms)}; }}"
    return translate(SourceFile("k.cu", text))


def _interface(translation: Translation) -> KernelInterface:
    (kernel,) = translation.kernels
    assert kernel.interface is not None, [d.message for d in kernel.diagnostics]
    return kernel.interface


@cache
def _polynomial() -> KernelInterface:
    translation = translate(read_source(FOLDER / "binding" / "many_scalars.cu"))
    (found,) = (k.interface for k in translation.translated if k.function.name == "polynomial")
    assert found is not None
    return found


def test_only_over_the_limit() -> None:
    fits, over = signature(_interface(_weighted(29))), signature(_interface(_weighted(30)))
    assert len(fits.inputs) + len(fits.outputs) == MAXIMUM_BUFFERS
    assert not any(buffer.packed for buffer in fits.inputs)
    names = ["x0", "int_values", "int_values_2", "int_values_3", "int_values_4", "int_values_5"]
    assert [buffer.name for buffer in over.inputs] == names
    assert [buffer.lanes for buffer in over.inputs] == [1, 7, 7, 7, 7, 2]


def test_a_value_without_company_stays_alone() -> None:
    assert [b.name for b in signature(_interface(_weighted(36))).inputs][-2:] == ["int_values_5", "v35"]


def test_arrays_take_names_that_the_kernel_leaves() -> None:
    text = _weighted(30).source.text.replace("v3", "int_values")
    assert "int_values_" in [
        b.name for b in signature(_interface(translate(SourceFile("k.cu", text)))).inputs
    ]


def test_too_many_even_so() -> None:
    (kernel,) = _weighted(14, buffers=30).kernels
    assert [(d.code.code, d.message) for d in kernel.diagnostics] == [
        ("CU5003", "k needs 33 buffers with its scalars packed; Metal binds 31")
    ]


def test_metal_gets_constant_arrays() -> None:
    text = generated_source(_polynomial(), Instance({"T": "float16"}))
    for part in (
        "const constant float16_t* T_values_2 [[buffer(5)]]",
        "const constant uint8_t& keep [[buffer(7)]]",
        "const constant T& c8 = T_values_2[1];",
        "uint u0_value = uint_values[0];",
    ):
        assert part in text


def test_cuda_reads_the_same_arrays() -> None:
    lines = cuda_body(_polynomial()).splitlines()
    assert "T c8 = T_values_2_argument[1];" in lines
    assert "unsigned char keep = *keep_argument;" in lines
    assert "long long step = long_values_argument[1];" in lines


@pytest.fixture
def polynomial(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """The module's function, called with these arguments where the call gives no others."""
    if CpuExecutor().unavailable() is not None:
        pytest.skip("no C++ compiler for the CPU machine")
    monkeypatch.setenv("CU2MLX_DEVICE", "cpu")
    function = load(_polynomial()).polynomial
    numbers = dict.fromkeys(_TYPED, 0.0) | dict.fromkeys(_INTS, 0)
    numbers |= {"scale": 1.0, "low": -100, "high": 100, "keep": 1, "u0": 0, "u1": 0, "u2": 0}
    numbers |= {"twice": False, "offset": 0, "step": 0}
    x = mx.array([0.5, -1.0, 2.0])

    def call(**others: Any) -> Any:
        return function(x, mx.zeros((3,)), 3, **(numbers | others), grid=1, block=32)

    return call


@pytest.mark.parametrize("made", [lambda value, _: value, mx.array], ids=["numbers", "0-d arrays"])
def test_module(polynomial: Callable[..., Any], made: Callable[[Any, Any], Any]) -> None:
    typed = {"c0": 1.0, "c2": 3.0, "c9": 0.25, "scale": 2.0}
    ints = {"s1": 4, "s6": 2, "s7": 5, "s9": -3}
    given = {name: made(value, mx.float32) for name, value in typed.items()}
    given |= {name: made(value, mx.int32) for name, value in ints.items()}
    given |= {"u1": made(7, mx.uint32), "u2": made(2, mx.uint32), "twice": made(True, mx.bool_)}
    given |= {"offset": made(2**40, mx.int64), "step": 3}
    x = [0.5, -1.0, 2.0]
    shift = 4 * 2 + 2 * 5 - 3
    expected = [(1 + 3 * v * v + 0.25 * v**9) * 4 + shift + (7 ^ 2) + 3 * 2**40 for v in x]
    assert mx.allclose(polynomial(**given), mx.array(expected), rtol=1e-6, atol=0)
    small = given | {"offset": made(1, mx.int64), "step": 2}
    assert mx.allclose(polynomial(**small), mx.array([e - 3 * 2**40 + 2 + i for i, e in enumerate(expected)]))


def test_each_number_is_checked_by_its_name(polynomial: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match=r"polynomial: s3 is a float, expected .*int32"):
        polynomial(s3=1.5)
    with pytest.raises(ValueError, match=r"polynomial: u1=-1 does not fit in .*uint32"):
        polynomial(u1=-1)
