#include <metal_stdlib>
using namespace metal;

[[kernel]] void reversed(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  const device float (*x_rows)[4] = (const device float (*)[4])x;
  device float (*y_rows)[4] = (device float (*)[4])y;
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= n) return;
  for (int j = 0; j < 4; ++j) y_rows[i][j] = x_rows[i][3 - j] * 2;
}
