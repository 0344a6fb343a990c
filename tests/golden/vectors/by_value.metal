#include <metal_stdlib>
using namespace metal;

// Vectors and records as kernel arguments.
struct Affine {
  float scale;
  float offset;
};

[[kernel]] void apply(
    const device float* x [[buffer(0)]],
    const device uchar* f [[buffer(1)]],
    const device float* clamp_to [[buffer(2)]],
    const constant int& n [[buffer(3)]],
    device float* y [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  Affine f_value = *(const device Affine*)f;
  float2 clamp_to_value = *(const device float2*)clamp_to;
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) y[i] = fmin(fmax(x[i] * f_value.scale + f_value.offset, clamp_to_value.x), clamp_to_value.y);
}
