#include <metal_stdlib>
using namespace metal;

// support library: cu::syncthreads_count, cu::syncthreads_and, cu::syncthreads_or

// Barriers that count or vote over the block.
[[kernel]] void votes(
    const device int* x [[buffer(0)]],
    device int* count [[buffer(1)]],
    device int* all [[buffer(2)]],
    device int* any [[buffer(3)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup uint vote_scratch[32];
  int positive = x[thread_position_in_threadgroup.x] > 0;
  int n = cu::syncthreads_count(positive, vote_scratch, thread_index_in_threadgroup, threads_per_threadgroup.x * threads_per_threadgroup.y * threads_per_threadgroup.z);
  int every = cu::syncthreads_and(positive, vote_scratch, thread_index_in_threadgroup, threads_per_threadgroup.x * threads_per_threadgroup.y * threads_per_threadgroup.z);
  int some = cu::syncthreads_or(positive, vote_scratch, thread_index_in_threadgroup, threads_per_threadgroup.x * threads_per_threadgroup.y * threads_per_threadgroup.z);
  if (thread_position_in_threadgroup.x == 0) {
    count[threadgroup_position_in_grid.x] = n;
    all[threadgroup_position_in_grid.x] = every;
    any[threadgroup_position_in_grid.x] = some;
  }
}
