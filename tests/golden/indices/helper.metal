#include <metal_stdlib>
using namespace metal;

// A helper that uses thread indices gets them from its caller, through another helper.
inline int global_index(uint3 threadgroup_position_in_grid, uint3 threads_per_threadgroup, uint3 thread_position_in_threadgroup) { return threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x; }

inline bool inside(uint3 threadgroup_position_in_grid, uint3 threads_per_threadgroup, uint3 thread_position_in_threadgroup, int n) { return global_index(threadgroup_position_in_grid, threads_per_threadgroup, thread_position_in_threadgroup) < n; }

[[kernel]] void negate(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  if (inside(threadgroup_position_in_grid, threads_per_threadgroup, thread_position_in_threadgroup, n)) {
    const int i = global_index(threadgroup_position_in_grid, threads_per_threadgroup, thread_position_in_threadgroup);  // again
    y[i] = -x[i];
  }
}
