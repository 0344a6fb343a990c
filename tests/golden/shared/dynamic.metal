#include <metal_stdlib>
using namespace metal;

// Dynamic shared memory: typed, and as aligned bytes that two arrays share.
// dynamic_shared_bytes: the launch's dynamic shared memory
template <int dynamic_shared_bytes>
[[kernel]] void block_sum(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup uint4 dynamic_shared[(dynamic_shared_bytes + 15) / 16];
  threadgroup float* s = (threadgroup float*)dynamic_shared;
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  s[thread_position_in_threadgroup.x] = i < n ? x[i] : 0.0f;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (int k = threads_per_threadgroup.x / 2; k > 0; k >>= 1) {
    if (thread_position_in_threadgroup.x < k) s[thread_position_in_threadgroup.x] += s[thread_position_in_threadgroup.x + k];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (thread_position_in_threadgroup.x == 0) out[threadgroup_position_in_grid.x] = s[0];
}

// dynamic_shared_bytes: the launch's dynamic shared memory
template <typename T, int dynamic_shared_bytes>
[[kernel]] void stage(
    const device T* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device T* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  threadgroup uint4 dynamic_shared[(dynamic_shared_bytes + 15) / 16];
  threadgroup uchar* bytes = (threadgroup uchar*)dynamic_shared;
  threadgroup T* values = reinterpret_cast<threadgroup T*>(bytes);
  threadgroup int* order = (threadgroup int*)(bytes + n * sizeof(T));
  values[thread_position_in_threadgroup.x] = x[thread_position_in_threadgroup.x];
  order[thread_position_in_threadgroup.x] = n - 1 - thread_position_in_threadgroup.x;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[thread_position_in_threadgroup.x] = values[order[thread_position_in_threadgroup.x]];
}
