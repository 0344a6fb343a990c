"""The texts that NVRTC gets: what is rewritten, and what stays where it was."""

from cu2mlx.runtime.cuda import cuda_source, msl_source
from cu2mlx.runtime.cuda.executor import values
from cu2mlx.runtime.protocol import KernelText

MSL = """#include <metal_stdlib>
using namespace metal;
[[kernel]] void f(
  const device float* x [[buffer(0)]],
  const constant int& n [[buffer(1)]],
  device float* y [[buffer(2)]],
  uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  threadgroup float s[64];
  uint t = thread_position_in_threadgroup.x;
  s[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (int(t) < n) y[t] = s[n - 1 - t] + 0.5;
}
"""


def test_msl_becomes_a_kernel() -> None:
    unit = msl_source.translation_unit(MSL, "f", {})
    assert 'extern "C" __global__ void msl_entry(' in unit
    assert "ENGINE_ENTRY" not in unit and "msl::buffer<" not in unit
    body = unit.partition('#line 1 "kernel.metal"\n')[2].split("\n")
    assert "[[" not in unit and "device float" not in unit
    assert "::engine::shared<float[64]>" in body[7]
    assert "0.5f" in body[11], "lines stay, and literals are float as in Metal"


def test_loops_are_unrolled_as_the_text_asks() -> None:
    loop = "#pragma clang loop unroll(full)\n  for (int i = 0; i < 4; ++i) y[i] = 0;"
    text = MSL.replace("  s[t] = x[t];", f"#pragma METAL fp contract(off)\n{loop}")
    unit = msl_source.translation_unit(text, "f", {})
    assert "METAL" not in unit and "clang" not in unit
    assert "#pragma unroll\n  for (int i" in unit


def test_values_are_passed_by_value() -> None:
    unit = msl_source.translation_unit(MSL, "f", {})
    signature = unit.partition("void f(")[2].partition("{")[0]
    assert "&" not in signature
    assert values(KernelText("msl", MSL, "f")) == {1}


def test_the_header_is_whole() -> None:
    headers = msl_source.headers()
    text = headers[msl_source.HEADER]
    assert "#include" not in text and "#pragma once" not in text
    assert "MSL_FLOAT1(rsqrt, ::rsqrtf(x))" in text
    assert text.count("struct simdgroup_matrix {") == 1, "one matrix, and it is ours"
    assert text.index("namespace std {") < text.index("#define exp msl_exp") < text.index("struct vec;")


CUDA = """#include <torch/extension.h>
#include "helpers.cuh"
__global__ void g(c10::Half* x, int n) {
  int i = threadIdx.x;
  if (i < std::min(n, 32)) x[i] = c10::Half(2.0f);
}
"""


def test_an_original_keeps_its_lines() -> None:
    unit = cuda_source.translation_unit(CUDA)
    heads, _, body = unit.partition('#line 1 "kernel.cu"\n')
    assert body.split("\n")[2].startswith("__global__ void g")
    assert "torch/extension.h" not in unit and "helpers.cuh" not in unit
    assert (
        '#include "cu2mlx/torch_types.h"' in heads and "namespace std { using namespace cuda::std; }" in heads
    )


def test_only_what_a_text_names_is_included() -> None:
    unit = cuda_source.translation_unit("__global__ void h(float* x) { x[0] = FLT_MAX; }")
    assert "cuda/std" not in unit and "cuda_fp16" not in unit and "#define FLT_MAX" in unit
    assert "cuda_bf16.h" in cuda_source.translation_unit("__global__ void h(__nv_bfloat16* x) {}")
    own = cuda_source.translation_unit(
        "#define INFINITY 1e30f\n__global__ void h(float* x) { x[0] = INFINITY; }"
    )
    assert own.count("define INFINITY") == 1


def test_a_kernel_that_is_called_has_no_launch_bounds() -> None:
    called = "__device__ void\n__launch_bounds__(\n  64, 2) k(int n) {}\n__global__ void __launch_bounds__(32) f() { k(1); }"
    body = cuda_source.translation_unit(called).partition('#line 1 "kernel.cu"\n')[2]
    assert body.count("__launch_bounds__") == 1 and "__global__ void __launch_bounds__(32) f" in body
    assert body.count("\n") == called.count("\n") + 1, "the lines stay"
    assert "cub/block/block_reduce.cuh" in cuda_source.translation_unit("cub::BlockReduce<float, 32> r;")
