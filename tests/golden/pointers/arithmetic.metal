#include <metal_stdlib>
using namespace metal;

// Local pointers walk over buffers, take offsets and differences, and are compared.
[[kernel]] void walk(
    const device float* x [[buffer(0)]],
    const constant int& width [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device float* y [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  const device float* row = x + (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x) * (ulong)width;
  const device float *p = row, *end = row + width;
  float sum = 0.0f;
  while (p < end) sum += *p++;
  device float* out = &y[threadgroup_position_in_grid.x * threads_per_threadgroup.x];
  out += thread_position_in_threadgroup.x;
  *out = sum / (float)(end - row);
  const device float* last = end - 1;
  out[n] = last[-1] + *last;
}
