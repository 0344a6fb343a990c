#include <metal_stdlib>
using namespace metal;

// support library: cu::shfl_down_sync

#define CUDA_VERSION 12000

template <typename T>
inline T SHFL_DOWN(uint thread_index_in_simdgroup, T v, uint delta, int width = 32) {
#if CUDA_VERSION >= 9000
  return cu::shfl_down_sync(v, delta, width, thread_index_in_simdgroup);
#else
  return cu::shfl_down_sync(v, delta, width, thread_index_in_simdgroup);
#endif
}

inline float2 SHFL_DOWN(uint thread_index_in_simdgroup, float2 v, uint delta, int width = 32) {
  return float2(SHFL_DOWN(thread_index_in_simdgroup, v.x, delta, width), SHFL_DOWN(thread_index_in_simdgroup, v.y, delta, width));
}

[[kernel]] void halves(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint thread_index_in_simdgroup [[thread_index_in_simdgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  const device float2* x_float2 = (const device float2*)x;
  device float2* y_float2 = (device float2*)y;
  float2 v = x_float2[thread_position_in_threadgroup.x];
  float2 w = SHFL_DOWN(thread_index_in_simdgroup, v, 16);
  y_float2[thread_position_in_threadgroup.x] = float2(v.x + w.x, v.y + w.y);
}
