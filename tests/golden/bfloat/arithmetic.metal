#include <metal_stdlib>
using namespace metal;

[[kernel]] void silu(
    const device bfloat* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device bfloat* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) {
    float v = float(x[i]);
    y[i] = bfloat(v / (1.0f + precise::exp(-v)));
  }
}

[[kernel]] void add_pairs(
    const device bfloat* a [[buffer(0)]],
    const device bfloat* b [[buffer(1)]],
    device bfloat* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  const device bfloat2* a_bfloat2 = (const device bfloat2*)a;
  const device bfloat2* b_bfloat2 = (const device bfloat2*)b;
  device bfloat2* y_bfloat2 = (device bfloat2*)y;
  int i = thread_position_in_threadgroup.x;
  y_bfloat2[i] = (a_bfloat2[i] + b_bfloat2[i]);
}
