#include <metal_stdlib>
using namespace metal;

#define __CUDACC__ 1
#define CUDA_VERSION 12000

// A helper for host and device: what only the host's branch needs is none of the kernel's business.
inline void sort_pair(thread float* pair) {
#ifdef __CUDACC__
  if (pair[1] < pair[0]) {
    float first = pair[0];
    pair[0] = pair[1];
    pair[1] = first;
  }
#else
#error CU2001: std::sort is not declared in this file and not a CUDA function

#endif
}

[[kernel]] void sort_pairs(
    const device float* x [[buffer(0)]],
    const constant int& pairs [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= pairs) return;
  float pair[2] = {x[2 * i], x[2 * i + 1]};
  sort_pair(pair);
#if CUDA_VERSION >= 9000
  y[2 * i] = pair[0];
#else
#error CU3303: tex1Dfetch: MLX binds no textures

#endif
  y[2 * i + 1] = pair[1];
}
