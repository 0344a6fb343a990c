"""Every seed's texts compile for an H200 wherever NVRTC is; it needs no GPU."""

import re
from pathlib import Path

import pytest

from cu2mlx import seeds
from cu2mlx.runtime.cuda import nvrtc
from cu2mlx.runtime.cuda.compile import compile_kernel
from cu2mlx.runtime.emulate import PREAMBLE
from cu2mlx.runtime.protocol import CompileError, KernelText
from cu2mlx.transpiler.binding.generator import generated_source
from cu2mlx.transpiler.instance import default_instance
from cu2mlx.transpiler.pipeline import translate
from cu2mlx.transpiler.source import read_source

SEEDS = sorted(Path(seeds.__file__).parent.glob("*/*.cu"))


def reason() -> str | None:
    try:
        nvrtc.load_library()
    except nvrtc.NoNvrtcError as error:
        return str(error)
    return None


pytestmark = pytest.mark.skipif(reason() is not None, reason=str(reason()))


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CU2MLX_CACHE", str(tmp_path))


@pytest.mark.parametrize("path", SEEDS, ids=lambda path: path.stem)
def test_a_translation_compiles(path: Path, tmp_path: Path) -> None:
    for kernel in translate(read_source(path)).kernels:
        assert kernel.interface is not None
        text = generated_source(kernel.interface, default_instance(kernel.interface))
        entry = re.search(r"\[\[kernel\]\] void (\w+)\(", text)
        assert entry is not None
        cubin = compile_kernel(KernelText("msl", PREAMBLE + text, entry[1]), "sm_90")
        assert cubin.symbol == "msl_entry" and cubin.code.startswith(b"\x7fELF")
        again = compile_kernel(KernelText("msl", PREAMBLE + text, entry[1]), "sm_90")
        assert again == cubin and list(tmp_path.glob("cuda-*.cubin")), "the second one comes from the cache"


def test_an_original_compiles() -> None:
    text = "template <int N> __global__ void scale(float* x) { x[threadIdx.x] *= N; }"
    assert "scale" in compile_kernel(KernelText("cuda", text, "scale<3>"), "sm_90").symbol


def test_errors_name_the_lines_of_the_text() -> None:
    with pytest.raises(CompileError, match=r"kernel\.cu\(2\): error: identifier \"y\" is undefined"):
        compile_kernel(KernelText("cuda", "__global__ void f(float* x) {\n  x[0] = y;\n}", "f"), "sm_90")
    text = "[[kernel]] void f(device float* x [[buffer(0)]]) {\n\n  x[0] = y;\n}\n"
    with pytest.raises(CompileError, match=r"kernel\.metal\(3\): error: identifier \"y\" is undefined"):
        compile_kernel(KernelText("msl", PREAMBLE + text, "f"), "sm_90")


@pytest.mark.skipif(not nvrtc.include_folders(), reason="no CUDA headers")
def test_an_original_may_use_the_libraries_of_cuda() -> None:
    text = """#include <cub/cub.cuh>
__global__ void f(float* x, __half* h) {
  using Reduce = cub::BlockReduce<float, 64>;
  __shared__ typename Reduce::TempStorage storage;
  float sum = Reduce(storage).Sum(x[threadIdx.x] + std::max(1.0f, __half2float(h[0])));
  if (threadIdx.x == 0) x[0] = sum;
}"""
    assert compile_kernel(KernelText("cuda", text, "f"), "sm_90").code


@pytest.mark.skipif(not nvrtc.include_folders(), reason="no CUDA headers")
def test_lists_have_a_least_and_a_greatest() -> None:
    text = """#include <algorithm>
constexpr int both() { return std::max({1, 5, 3}) + std::min({4, 2}); }
__global__ void f(int* x) { static_assert(both() == 7, ""); x[0] = std::max(x[1], x[2]); }"""
    assert compile_kernel(KernelText("cuda", text, "f"), "sm_90").code
