#include <metal_stdlib>
using namespace metal;

template <typename T>
[[kernel]] void copy(
    const device T* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device T* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) y[i] = x[i];
}

[[kernel]] void twice(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  y[thread_position_in_threadgroup.x] = 2.0f * x[thread_position_in_threadgroup.x];
}

[[kernel]] void thrice(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  y[thread_position_in_threadgroup.x] = 3.0f * x[thread_position_in_threadgroup.x];
}
