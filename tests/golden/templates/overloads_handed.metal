#include <metal_stdlib>
using namespace metal;

// Overloads of which the kernel's type chooses one: each is handed all that one of them needs, in the same order.
inline float mixed(threadgroup float& least, uint3 thread_position_in_threadgroup, uint3 threadgroup_position_in_grid, float v) {
  if (thread_position_in_threadgroup.x == 0) least = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  return v - least + threadgroup_position_in_grid.x;
}

inline int mixed(threadgroup float& mixed_least, uint3 thread_position_in_threadgroup, uint3 threadgroup_position_in_grid, int v) { return v + threadgroup_position_in_grid.x + thread_position_in_threadgroup.x; }

inline uint mixed(threadgroup float& mixed_least, uint3 thread_position_in_threadgroup, uint3 threadgroup_position_in_grid, uint v) { return v; }

template <typename T>
[[kernel]] void mix(
    const device T* x [[buffer(0)]],
    device T* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup float mixed_least;
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  y[i] = mixed(mixed_least, thread_position_in_threadgroup, threadgroup_position_in_grid, x[i]);
}
