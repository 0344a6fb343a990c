#include <metal_stdlib>
using namespace metal;

// support library: cu::shfl_down_sync, cu::shfl_xor_sync, cu::shfl_sync, cu::shfl_up_sync

// Shuffles with full and partial width, wrapping source lanes, and lane arithmetic of one's own.
inline float warp_sum(uint thread_index_in_simdgroup, float v) {
  for (int offset = 16; offset > 0; offset >>= 1) v += cu::shfl_down_sync(v, offset, 32, thread_index_in_simdgroup);
  return v;
}

inline int xor_sum(uint thread_index_in_simdgroup, int v) {
#pragma unroll
  for (int mask = 16; mask; mask /= 2) v += cu::shfl_xor_sync(v, mask, 32, thread_index_in_simdgroup);
  return v;
}

[[kernel]] void sums(
    const device float* x [[buffer(0)]],
    const device int* k [[buffer(1)]],
    device float* y [[buffer(2)]],
    device int* z [[buffer(3)]],
    uint thread_index_in_simdgroup [[thread_index_in_simdgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  float s = warp_sum(thread_index_in_simdgroup, x[thread_position_in_threadgroup.x]);
  y[thread_position_in_threadgroup.x] = cu::shfl_sync(s, 0, 32, thread_index_in_simdgroup);
  z[thread_position_in_threadgroup.x] = xor_sum(thread_index_in_simdgroup, k[thread_position_in_threadgroup.x]);
}

[[kernel]] void segments(
    const device int* x [[buffer(0)]],
    device int* y [[buffer(1)]],
    uint thread_index_in_simdgroup [[thread_index_in_simdgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  uint lane = thread_position_in_threadgroup.x & 31;
  int v = x[thread_position_in_threadgroup.x];
  int next = cu::shfl_sync(v, (lane + 1), 8, thread_index_in_simdgroup);
  int before = cu::shfl_up_sync(v, 1, 16, thread_index_in_simdgroup);
  int far = cu::shfl_down_sync(v, 2, 16, thread_index_in_simdgroup);
  int pair = cu::shfl_xor_sync(v, 1, 8, thread_index_in_simdgroup);
  y[thread_position_in_threadgroup.x] = next + 10 * before + 100 * far + 1000 * pair;
}
