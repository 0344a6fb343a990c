#include <metal_stdlib>
using namespace metal;

// support library: cu::ballot_sync

// A shuffle from lane - 1 in a divergent branch, and a reduction over a block of 45 threads.
[[kernel]] void previous(
    const device int* x [[buffer(0)]],
    device int* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  int lane = thread_position_in_threadgroup.x % 32;
  int v = x[thread_position_in_threadgroup.x];
  if (lane < 20) {
    int p = simd_shuffle(v, (lane - 1) & 31);
    v = lane > 0 ? v - p : v;
  }
  y[thread_position_in_threadgroup.x] = v;
}

[[kernel]] void sum45(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  threadgroup float s[2];
  float v = x[thread_position_in_threadgroup.x];
  uint mask = cu::ballot_sync(0xffffffffu, thread_position_in_threadgroup.x < 45);
  for (int offset = 16; offset > 0; offset /= 2) {
    float other = simd_shuffle_down(v, offset);
    if (thread_position_in_threadgroup.x + offset < 45) v += other;
  }
  if (thread_position_in_threadgroup.x % 32 == 0) s[thread_position_in_threadgroup.x / 32] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (thread_position_in_threadgroup.x == 0) y[0] = s[0] + s[1];
}
