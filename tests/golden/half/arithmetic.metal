#include <metal_stdlib>
using namespace metal;

[[kernel]] void scale(
    const device half* x [[buffer(0)]],
    const constant float& factor [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device half* y [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) y[i] = half(float(x[i]) * factor);
}

[[kernel]] void pairs(
    const device half* x [[buffer(0)]],
    device half* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  const device half2* x_half2 = (const device half2*)x;
  device half2* y_half2 = (device half2*)y;
  half2 v = x_half2[thread_position_in_threadgroup.x];
  v.x = (v.x + half(1.0f));
  v.y = v.y * v.x;
  half2 w = fma(v, v, half2(half(0.5f)));
  float2 f = float2(w);
  y_half2[thread_position_in_threadgroup.x] = half2(half(f.x), half(float(w.x)));
}

[[kernel]] void compare(
    const device half* a [[buffer(0)]],
    const device half* b [[buffer(1)]],
    device half* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  half m = (a[thread_position_in_threadgroup.x] > b[thread_position_in_threadgroup.x]) ? a[thread_position_in_threadgroup.x] : b[thread_position_in_threadgroup.x];
  y[thread_position_in_threadgroup.x] = half(precise::exp(float(m)));
}
