#include <metal_stdlib>
using namespace metal;

// dynamic_shared_bytes: the launch's dynamic shared memory
template <typename T, int dynamic_shared_bytes>
[[kernel]] void turned(
    const device T* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device T* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup uint4 dynamic_shared[(dynamic_shared_bytes + 15) / 16];
  threadgroup T* row = ((threadgroup T*)dynamic_shared);
  threadgroup T* next = row + threads_per_threadgroup.x;
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  row[thread_position_in_threadgroup.x] = i < n ? x[i] : T(0);
  next[thread_position_in_threadgroup.x] = row[thread_position_in_threadgroup.x] + T(1);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < n) y[i] = next[threads_per_threadgroup.x - 1 - thread_position_in_threadgroup.x];
}
