#include <metal_stdlib>
using namespace metal;

[[kernel]] void square(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threadgroups_per_grid [[threadgroups_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  for (int i = ((threadgroup_position_in_grid.x * threads_per_threadgroup.x) + thread_position_in_threadgroup.x); i < (n); i += threads_per_threadgroup.x * threadgroups_per_grid.x) {
    y[i] = x[i] * x[i];
  }
}
