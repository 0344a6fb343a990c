#include <metal_stdlib>
using namespace metal;

// support library: cu::lane_xor, cu::shfl_sync, cu::shfl_up_sync, cu::shfl_down_sync, cu::shfl_xor_sync

// Shuffles with full and partial width, wrapping source lanes, and lane arithmetic of one's own.
inline float warp_sum(float v) {
  for (int offset = 16; offset > 0; offset >>= 1) v += simd_shuffle_down(v, offset);
  return v;
}

inline int xor_sum(int v) {
#pragma unroll
  for (int mask = 16; mask; mask /= 2) v += simd_shuffle_xor(v, mask);
  return v;
}

// Distances that a loop counts: up to a limit, down from a template argument, by any step of its own.
template <typename T, int WIDTH>
inline T segment_sum(T v) {
  for (int mask = WIDTH / 2; mask > 0; mask = mask >> 1) v += cu::lane_xor(v, mask);
  return v;
}

constexpr constant int kWarp = 32;

inline int scan(uint3 thread_position_in_threadgroup, int v) {
  const int lane = thread_position_in_threadgroup.x % kWarp;
  for (int offset = 1; offset < kWarp; offset <<= 1) {
    int below = simd_shuffle_up(v, offset);
    if (lane >= offset) v += below;
  }
  return v;
}

[[kernel]] void sums(
    const device float* x [[buffer(0)]],
    const device int* k [[buffer(1)]],
    device float* y [[buffer(2)]],
    device int* z [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  float s = warp_sum(x[thread_position_in_threadgroup.x]);
  y[thread_position_in_threadgroup.x] = simd_broadcast(s, 0);
  z[thread_position_in_threadgroup.x] = xor_sum(k[thread_position_in_threadgroup.x]);
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
  int pair = simd_shuffle_xor(v, 1);
  y[thread_position_in_threadgroup.x] = next + 10 * before + 100 * far + 1000 * pair;
}

[[kernel]] void loops(
    const device int* x [[buffer(0)]],
    device long* y [[buffer(1)]],
    uint thread_index_in_simdgroup [[thread_index_in_simdgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  int v = x[thread_position_in_threadgroup.x];
  long sum = segment_sum<long, 8>(v) + scan(thread_position_in_threadgroup, v);
  for (int source = 0; source < kWarp; ++source) sum += simd_broadcast(v, source) * source;
  for (int mask = 16; mask > 0; mask /= 2) {
    if (v < 0) mask |= 1;  // lanes differ from here on
    sum += cu::shfl_xor_sync(v, mask, 32, thread_index_in_simdgroup);
  }
  y[thread_position_in_threadgroup.x] = sum;
}
