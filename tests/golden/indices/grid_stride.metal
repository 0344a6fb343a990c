#include <metal_stdlib>
using namespace metal;

// Two blocks add two vectors; a second kernel strides over the whole grid.
[[kernel]] void add(
    const device float* a [[buffer(0)]],
    const device float* b [[buffer(1)]],
    device float* c [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  uint i = thread_position_in_threadgroup.x + threadgroup_position_in_grid.x * threads_per_threadgroup.x;
  c[i] = a[i] + b[i];
}

[[kernel]] void scale(
    const device float* x_in [[buffer(0)]],
    const constant uint& cu_size_of_x [[buffer(1)]],
    const constant ulong& n [[buffer(2)]],
    const constant float& factor [[buffer(3)]],
    device float* x [[buffer(4)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threadgroups_per_grid [[threadgroups_per_grid]],
    uint3 threads_per_grid [[threads_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  for (uint cu_i = thread_position_in_grid.x; cu_i < cu_size_of_x; cu_i += threads_per_grid.x) x[cu_i] = x_in[cu_i];
  for (ulong i = threadgroup_position_in_grid.x * (ulong)threads_per_threadgroup.x + thread_position_in_threadgroup.x; i < n; i += (ulong)threadgroups_per_grid.x * threads_per_threadgroup.x)
    x[i] *= factor;
}
