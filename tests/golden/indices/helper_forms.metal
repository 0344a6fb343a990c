#include <metal_stdlib>
using namespace metal;

// Indices reach a method, a function called through a method, and a template helper.
struct Cursor {
  int stride;
  int lane(uint3 thread_position_in_threadgroup) const { return thread_position_in_threadgroup.x % 32; }
  int row(uint3 threadgroup_position_in_grid, uint3 threads_per_threadgroup, uint3 thread_position_in_threadgroup) const { return (threadgroup_position_in_grid.y * threads_per_threadgroup.y + thread_position_in_threadgroup.y) * stride + lane(thread_position_in_threadgroup); }
};

template <int UNROLL>
inline int first_of_thread(uint3 threadgroup_position_in_grid, uint3 threads_per_threadgroup, uint3 thread_position_in_threadgroup) {
  return (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x) * UNROLL;
}

[[kernel]] void rows(
    const device int* x [[buffer(0)]],
    const constant int& stride [[buffer(1)]],
    device int* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  Cursor cursor{stride};
  y[cursor.row(threadgroup_position_in_grid, threads_per_threadgroup, thread_position_in_threadgroup)] = x[cursor.row(threadgroup_position_in_grid, threads_per_threadgroup, thread_position_in_threadgroup)];
}

[[kernel]] void unrolled(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    int i = first_of_thread<4>(threadgroup_position_in_grid, threads_per_threadgroup, thread_position_in_threadgroup) + k;
    if (i < n) y[i] = 2.0f * x[i];
  }
}
