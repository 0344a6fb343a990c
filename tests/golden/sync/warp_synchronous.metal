#include <metal_stdlib>
using namespace metal;

// The last steps of a reduction inside one warp.
inline void warp_reduce(volatile threadgroup float* s, int t) {
  s[t] += s[t + 32];
  simdgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  s[t] += s[t + 16];
  simdgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  s[t] += s[t + 8];
}

[[kernel]] void reduce(
    const device float* in [[buffer(0)]],
    device float* out [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  threadgroup float s[64];
  s[thread_position_in_threadgroup.x] = in[thread_position_in_threadgroup.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (thread_position_in_threadgroup.x < 32) warp_reduce(s, thread_position_in_threadgroup.x);
  if (thread_position_in_threadgroup.x == 0) out[0] = s[0];
}
