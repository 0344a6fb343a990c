"""Records by value: the emitted module says how Python packs them, takes bytes, and refuses another size."""

import struct

import pytest
from test_module import load

from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.transpiler.binding.interface import KernelInterface
from cu2mlx.transpiler.pipeline import translate
from cu2mlx.transpiler.rules.context import Options
from cu2mlx.transpiler.source import SourceFile

mx = pytest.importorskip("mlx.core")

KERNEL = """
#define COUNT 3
typedef unsigned char byte;
struct Params { %s };
__global__ void k(Params p, float* y) { y[0] = %s; }
"""


def interface(members: str, value: str = "1.0f", double: str = "refuse") -> KernelInterface:
    (kernel,) = translate(
        SourceFile("k.cu", KERNEL % (members, value)), options=Options(double=double)
    ).kernels
    assert kernel.interface is not None, kernel.diagnostics
    return kernel.interface


@pytest.mark.parametrize(
    ("members", "layout", "names"),
    [
        ("int n; float s; bool b;", "if?0i", ("n", "s", "b")),
        ("byte b; long long n; half h;", "Bqe0q", ("b", "n", "h")),
        ("int n, m; float w[2][COUNT];", "ii6f0i", ("n", "m", "*w")),
        ("float x; float twice() const { return 2 * x; }", "f0f", ("x",)),
        ("float3 v;", "", ()),
        ("int n : 3;", "", ()),
        ("__align__(16) float v;", "", ()),
    ],
)
def test_layouts(members: str, layout: str, names: tuple[str, ...]) -> None:
    parameter = interface(members).parameters[0]
    assert (parameter.layout, parameter.members) == (layout, names)


def test_a_narrowed_double_is_a_float() -> None:
    assert interface("int n; double s;", double="float").parameters[0].layout == "if0i"


def test_the_module_says_how_and_checks_the_size() -> None:
    k = load(interface("int n; float s; bool b;")).k
    assert 'p: `Params` (uint8: its bytes), read: struct.pack("if?0i", n, s, b)' in k.__doc__
    with pytest.raises(ValueError, match="k: p is a record of 12 bytes, not 9"):
        k(bytes(9), y_shape=8, grid=1, block=1)
    with pytest.raises(ValueError, match=r"k: p must be an mx\.array, not tuple"):
        k((1, 2.0, True), y_shape=8, grid=1, block=1)


@pytest.mark.skipif(CpuExecutor().unavailable() is not None, reason="no C++ compiler for the CPU machine")
def test_each_member_arrives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CU2MLX_DEVICE", "cpu")
    made = interface(
        "byte b; long long n; half h; float w[COUNT]; bool t;", "p.b + p.n + float(p.h) + p.w[2] + p.t"
    )
    packed = struct.pack(made.parameters[0].layout, 1, 20, 300.0, 0.0, 0.0, 4000.0, True)
    k = load(made).k
    assert k(packed, y_shape=1, grid=1, block=1).item() == 4322
    assert k(mx.array(list(packed), dtype=mx.uint8), y_shape=1, grid=1, block=1).item() == 4322
