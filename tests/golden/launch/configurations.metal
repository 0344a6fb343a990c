#include <metal_stdlib>
using namespace metal;

template <typename T>
[[kernel]] void fill(
    const constant int& n [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) y[i] = sizeof(T);
}

[[kernel]] void image(
    const device float* x [[buffer(0)]],
    const constant int& w [[buffer(1)]],
    const constant int& h [[buffer(2)]],
    device float* y [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int c = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x, r = threadgroup_position_in_grid.y * threads_per_threadgroup.y + thread_position_in_threadgroup.y;
  if (c < w && r < h) y[r * w + c] = x[r * w + c] + 1.0f;
}

[[kernel]] void one(
    device float* y [[buffer(0)]]) {
  *y = 1.0f;
}
