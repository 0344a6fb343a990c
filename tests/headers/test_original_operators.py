"""Which operators the original's text takes along: they are called without a name in it."""

import numpy as np

from tests.translated import run_both, translated_kernel

CUDA = """
struct Unused { float x; };
__device__ Unused operator+(Unused a, Unused b) { return Unused{a.x + b.x}; }
struct Doubled { float x; };
struct Pair { float x, y; };
__device__ Doubled operator*(Pair a, float s) { return Doubled{a.x * s}; }
__device__ float operator-(Doubled a, float s) { return a.x - s; }
__device__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }

__device__ Pair pair_of(float x) { return Pair{x, x}; }
__global__ void k(const float* x, float* y) {
  auto pair = pair_of(x[threadIdx.x]);
  float3 v = make_float3(x[threadIdx.x], 0.0f, 0.0f);
  y[threadIdx.x] = pair * 2.0f - 1.0f + (v + v).x;
}
"""


def test_those_of_records_that_nothing_mentions_are_left_out() -> None:
    _, kernel = translated_kernel(CUDA, "k")
    assert "Unused" not in kernel.original
    for operator in ("operator*(Pair", "operator-(Doubled", "operator+(float3"):
        assert operator in kernel.original


def test_the_others_are_enough() -> None:
    x = np.arange(32, dtype=np.float32)
    both = run_both(CUDA, {"x": x, "y": np.zeros(32, np.float32)}, 32)
    assert np.array_equal(both.original["y"], 4 * x - 1)
    assert np.array_equal(both.translated["y"], 4 * x - 1)
