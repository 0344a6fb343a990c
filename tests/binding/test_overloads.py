"""Kernels of one name: each is emitted under a name of its own, and runs."""

import numpy as np

from cu2mlx.runtime.check import check_msl
from cu2mlx.transpiler.binding.metal import emit_metal
from cu2mlx.transpiler.binding.module import emit_module
from cu2mlx.transpiler.pipeline import translate
from cu2mlx.transpiler.source import SourceFile
from tests.translated import run_both

OVERLOADS = """
__global__ void scale(float* x, float by) { x[threadIdx.x] *= by; }
__global__ void scale(int* x, int by, int more) { x[threadIdx.x] = x[threadIdx.x] * by + more; }
namespace other { __global__ void scale(float* x) { x[threadIdx.x] *= 3.0f; } }
__global__ void scale_2(float* x) { x[threadIdx.x] += 1.0f; }

void launch(float* x, int* i) {
    scale<<<1, 32>>>(x, 2.0f);
    scale<<<2, 64>>>(i, 2, 1);
}
"""


def test_every_kernel_has_a_name_of_its_own() -> None:
    translation = translate(SourceFile("kernel.cu", OVERLOADS))
    assert [kernel.name for kernel in translation.kernels] == ["scale", "scale_3", "scale_4", "scale_2"]
    interfaces = [kernel.interface for kernel in translation.kernels if kernel.interface is not None]
    names: dict[str, object] = {}
    code = compile(emit_module(interfaces, "kernel.cu"), "kernel_mlx.py", "exec")
    exec(code, names)
    for kernel in translation.kernels:
        assert f"line {kernel.interface.line} of" in str(names[kernel.name].__doc__)  # type: ignore[union-attr]
    metal = emit_metal(interfaces)
    assert all(metal.count(f"[[kernel]] void {kernel.name}(") == 1 for kernel in translation.kernels)
    assert not check_msl(metal)


def test_a_launch_belongs_to_the_overload_that_takes_its_arguments() -> None:
    translation = translate(SourceFile("kernel.cu", OVERLOADS))
    launched = {k.name: k.interface.launches for k in translation.kernels if k.interface is not None}
    assert {name: [site.block for site in sites] for name, sites in launched.items()} == {
        "scale": [("32",)], "scale_3": [("64",)], "scale_4": [], "scale_2": [],
    }  # fmt: skip


def test_each_runs_like_its_original() -> None:
    floats, integers = np.arange(32, dtype=np.float32), np.arange(32, dtype=np.int32)
    runs = {
        "scale": ({"x": floats, "by": np.float32(2)}, floats * 2),
        "scale_3": ({"x": integers, "by": np.int32(2), "more": np.int32(1)}, integers * 2 + 1),
        "scale_4": ({"x": floats}, floats * 3),
        "scale_2": ({"x": floats}, floats + 1),
    }
    for name, (arguments, expected) in runs.items():
        both = run_both(OVERLOADS, arguments, 32, entry=name)
        assert np.array_equal(both.original["x"], expected), name
        assert np.array_equal(both.translated["x"], expected), name
