#include <metal_stdlib>
using namespace metal;

// Shared memory declared in helpers: plain, in a template, and dynamic.
inline float block_max(threadgroup float (&s)[32], uint3 thread_position_in_threadgroup, float v) {
  s[thread_position_in_threadgroup.x] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float m = s[0];
  for (int i = 1; i < 32; ++i) m = fmax(m, s[i]);
  return m;
}

template <typename T>
inline T broadcast(threadgroup ulong* broadcast_first, uint3 thread_position_in_threadgroup, T v) {
  threadgroup T& first = *(threadgroup T*)broadcast_first;
  if (thread_position_in_threadgroup.x == 0) first = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  return first;
}

inline float neighbour(threadgroup uint4* dynamic_shared, uint3 thread_position_in_threadgroup, uint3 threads_per_threadgroup, float v) {
  threadgroup float* row = (threadgroup float*)dynamic_shared;
  row[thread_position_in_threadgroup.x] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  return row[(thread_position_in_threadgroup.x + 1) % threads_per_threadgroup.x];
}

[[kernel]] void largest(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  threadgroup float block_max_s[32];
  y[thread_position_in_threadgroup.x] = block_max(block_max_s, thread_position_in_threadgroup, x[thread_position_in_threadgroup.x]);
}

[[kernel]] void spread(
    const device int* x [[buffer(0)]],
    device int* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  threadgroup ulong broadcast_first[1];
  y[thread_position_in_threadgroup.x] = broadcast(broadcast_first, thread_position_in_threadgroup, x[thread_position_in_threadgroup.x]);
}

// dynamic_shared_bytes: the launch's dynamic shared memory
template <int dynamic_shared_bytes>
[[kernel]] void shift(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup uint4 dynamic_shared[(dynamic_shared_bytes + 15) / 16];
  y[thread_position_in_threadgroup.x] = neighbour(dynamic_shared, thread_position_in_threadgroup, threads_per_threadgroup, x[thread_position_in_threadgroup.x]);
}
