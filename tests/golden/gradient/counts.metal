#include <metal_stdlib>
using namespace metal;

// flags: --gradient upsample_forward=upsample_backward
// `n` counts the output in one kernel and the input in the other: host code tells, the names do not.
[[kernel]] void upsample_forward(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) y[i] = x[i / 2];
}

[[kernel]] void upsample_backward(
    const device float* dy [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* dx [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  // error: CU5101
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) dx[i] = dy[2 * i] + dy[2 * i + 1];
}
