#include <metal_stdlib>
using namespace metal;

// support library: cu::ballot_sync, cu::coalesced_group, cu::coalesced_threads, cu::cg_reduce, cu::plus, cu::cg_exclusive_scan, cu::less

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

// Two groups of one warp, each in its own branch: neither reads a lane of the other.
[[kernel]] void branches(
    const device int* x [[buffer(0)]],
    device int* y [[buffer(1)]],
    device int* z [[buffer(2)]],
    uint thread_index_in_simdgroup [[thread_index_in_simdgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  int v = x[thread_position_in_threadgroup.x];
  y[thread_position_in_threadgroup.x] = -1;
  if (v & 1) {
    cu::coalesced_group odd = cu::coalesced_threads(thread_index_in_simdgroup);
    y[thread_position_in_threadgroup.x] = cu::cg_reduce(odd, v, cu::plus<int>()) + cu::cg_exclusive_scan(odd, v);
    z[thread_position_in_threadgroup.x] = odd.match_any(v & 6);
  } else {
    cu::coalesced_group even = cu::coalesced_threads(thread_index_in_simdgroup);
    y[thread_position_in_threadgroup.x] = even.shfl_up(v, 1) + cu::cg_reduce(even, v, cu::less<int>());
    z[thread_position_in_threadgroup.x] = even.thread_rank() + even.ballot(v > 7);
  }
}
