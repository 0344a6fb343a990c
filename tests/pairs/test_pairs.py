"""One line for each spelling: a CUDA statement, and the Metal it becomes in a kernel, which must type-check."""

from pathlib import Path

import pytest

from cu2mlx.cli.translation import outcome_of
from cu2mlx.transpiler.diagnostics.text import as_text
from cu2mlx.transpiler.source import SourceFile

# What the statements of pairs.txt may use.
KERNEL = """#include <cuda_bf16.h>
#include <cuda_fp16.h>
struct Pair { float value; int index; float3 point; };
enum Color { RED, BLUE };
template <typename T> struct Box { T v; static __device__ T zero() { return T(0); } };
template <typename T> __device__ T first_of(const T* p) { return p[0]; }
__device__ int own_index() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ float at_index(const float* p) { return p[own_index()]; }
__device__ float clamp01(float v) { return fminf(fmaxf(v, 0.0f), 1.0f); }
__constant__ float table[2] = {0.5f, 1.0f};
__global__ void kernel(const float* x, float* y, const half* h, half* hy, const __nv_bfloat16* b,
                       const float3* points, const float4* quads, unsigned int* counts, float* sums, int n,
                       size_t big, Color color) {
  __shared__ float tile[64];
  __shared__ float3 spots[8];
  __shared__ Pair pairs[8];
  int i = n, j = n, lane = n, mask = n;
  float f = 1.0f, g = 2.0f;
  unsigned int m = n;
  long long w = n;
  /* begin */ STATEMENT; /* end */
  y[0] = f;
}
"""

FILE = Path(__file__).parent / "pairs.txt"
LINES = [line for line in FILE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]


def metal(statement: str) -> str:
    """The Metal that a statement becomes; it has to type-check."""
    source = SourceFile("pair.cu", KERNEL.replace("STATEMENT", statement))
    (kernel,) = outcome_of(source, [], {}, "refuse", [], True).kernels
    assert kernel.good, as_text(kernel.diagnostics)
    assert kernel.kernel.interface is not None
    body = kernel.kernel.interface.metal_body
    return body[body.index("/* begin */") + 11 : body.index("/* end */")].strip().removesuffix(";")


def test_there_are_enough_pairs() -> None:
    assert len(LINES) >= 150
    assert len({line.partition(" -> ")[0] for line in LINES}) == len(LINES)


@pytest.mark.parametrize("line", LINES)
def test_pair(line: str) -> None:
    cuda, arrow, expected = line.partition(" -> ")
    assert arrow and metal(cuda) == expected
