#include <metal_stdlib>
using namespace metal;

// Templates on types and ints, launched with two arguments.
template <typename T, int BLOCK>
[[kernel]] void block_sum(
    const device T* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device T* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
  threadgroup T s[BLOCK];
  int i = threadgroup_position_in_grid.x * BLOCK + thread_position_in_threadgroup.x;
  s[thread_position_in_threadgroup.x] = i < n ? x[i] : T(0);
  threadgroup_barrier(mem_flags::mem_threadgroup);
#pragma unroll
  for (int k = BLOCK / 2; k > 0; k /= 2) {
    if (thread_position_in_threadgroup.x < k) s[thread_position_in_threadgroup.x] += s[thread_position_in_threadgroup.x + k];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (thread_position_in_threadgroup.x == 0) out[threadgroup_position_in_grid.x] = s[0];
}
