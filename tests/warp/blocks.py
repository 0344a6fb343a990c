"""Reductions, scans and votes over whole blocks, whose last warp is not full."""

from collections.abc import Callable
from functools import partial

import numpy as np

from tests.warp.family import Array, Family, Threads, Truth

# Three warps hold 45 or 48 threads less than three times 32; 1000 leaves eight lanes in the last warp.
SIZES = (31, 32, 45, 48, 64, 1000, 1024)

_HELPERS = """#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

// Warp by warp, then the first warp over the partial sums; lanes past the block's end are left out by the mask.
template <typename T>
__device__ T warp_sum(T v, int lanes) {
  const int lane = threadIdx.x & 31;
  const unsigned int mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1u;
  for (int offset = 16; offset > 0; offset >>= 1) {
    const T other = __shfl_down_sync(mask, v, offset);
    if (lane + offset < lanes) v += other;
  }
  return __shfl_sync(mask, v, 0);
}
template <typename T>
__device__ T block_sum(T v, T *partial) {
  const int warp = threadIdx.x >> 5, warps = (blockDim.x + 31) >> 5;
  v = warp_sum(v, min(32, (int)blockDim.x - warp * 32));
  __syncthreads();
  if ((threadIdx.x & 31) == 0) partial[warp] = v;
  __syncthreads();
  T total = 0;
  for (int i = 0; i < warps; ++i) total += partial[i];
  return total;
}
// In shared memory alone, for any number of threads.
__device__ int tree_max(int v, int *scratch) {
  __syncthreads();
  scratch[threadIdx.x] = v;
  for (int left = blockDim.x; left > 1; left = (left + 1) / 2) {
    __syncthreads();
    const int half = (left + 1) / 2;
    if ((int)threadIdx.x + half < left) scratch[threadIdx.x] = max(scratch[threadIdx.x], scratch[threadIdx.x + half]);
  }
  __syncthreads();
  return scratch[0];
}
// The index of the largest value, the first of equals.
__device__ int arg_max(int v) {
  __shared__ unsigned int top, first;
  if (threadIdx.x == 0) top = 0, first = 0xffffffffu;
  __syncthreads();
  atomicMax(&top, (unsigned int)(v + 1000));
  __syncthreads();
  if ((unsigned int)(v + 1000) == top) atomicMin(&first, threadIdx.x);
  __syncthreads();
  return (int)first;
}
// Every step doubles the reach.
__device__ int block_scan(int v, int *scratch) {
  __syncthreads();
  scratch[threadIdx.x] = v;
  for (int reach = 1; reach < (int)blockDim.x; reach *= 2) {
    __syncthreads();
    const int before = (int)threadIdx.x >= reach ? scratch[threadIdx.x - reach] : 0;
    __syncthreads();
    scratch[threadIdx.x] += before;
  }
  return scratch[threadIdx.x];
}
__device__ int grouped_sum(int v, int *total) {
  __syncthreads();
  if (threadIdx.x == 0) *total = 0;
  __syncthreads();
  cg::coalesced_group here = cg::coalesced_threads();
  const int sum = cg::reduce(here, v, cg::plus<int>());
  if (here.thread_rank() == 0) atomicAdd(total, sum);
  __syncthreads();
  return *total;
}
__device__ float atomic_sum(float v, float *total) {
  __syncthreads();
  if (threadIdx.x == 0) *total = 0.0f;
  __syncthreads();
  atomicAdd(total, v);
  __syncthreads();
  return *total;
}
"""
_BEFORE = """    __shared__ int words[1024];
    __shared__ float floats[32];
    __shared__ int total;
    __shared__ float float_total;"""


def _all(fold: Callable[[Array], Array], threads: Threads) -> Array:
    return np.broadcast_to(fold(threads.v)[:, None], threads.v.shape)


def _sum(v: Array) -> Array:
    return np.asarray(v.sum(1))


_ROWS: dict[str, Truth] = {
    "block_sum(v, words)": partial(_all, _sum),
    "(int)block_sum((float)v, floats)": partial(_all, _sum),
    "tree_max(v, words)": partial(_all, lambda v: v.max(1)),
    "arg_max(v)": partial(_all, lambda v: v.argmax(1)),
    "block_scan(v, words)": lambda t: t.v.cumsum(1),
    "grouped_sum(v, &total)": partial(_all, _sum),
    "(int)atomic_sum((float)v, &float_total)": partial(_all, _sum),
    "__syncthreads_count(v & 1)": partial(_all, lambda v: (v % 2).sum(1)),
    "__syncthreads_and(v > -250)": partial(_all, lambda v: (v > -250).all(1)),
    "__syncthreads_or(v == 77)": partial(_all, lambda v: (v == 77).any(1)),
}


def _family(size: int) -> Family:
    shape = (3, size)
    ones = np.ones(shape, int)
    values = np.random.default_rng(size).integers(-250, 250, shape)
    return Family(f"blocks of {size}", Threads(values, ones, ones, ones), _ROWS, _BEFORE, _HELPERS)


FAMILIES = tuple(_family(size) for size in SIZES)
