#include <metal_stdlib>
using namespace metal;

// Only shared memory is exchanged, so the barrier orders only that.
[[kernel]] void reverse(
    const device int* in [[buffer(0)]],
    device int* out [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup int tile[256];
  tile[thread_position_in_threadgroup.x] = in[thread_position_in_threadgroup.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[thread_position_in_threadgroup.x] = tile[threads_per_threadgroup.x - 1 - thread_position_in_threadgroup.x];
}
