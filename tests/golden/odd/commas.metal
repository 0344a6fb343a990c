#include <metal_stdlib>
using namespace metal;

// Several expressions in one, the first of which changes something.
#define CLAMP(v, low, high) ((v) < (low) ? (low) : (v) > (high) ? (high) : (v))

[[kernel]] void commas(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= n) return;
  float a = x[i], b = 1.0f;
  float c = ((a += 1), b *= 2, a + b);
  for (int u = 0, v = 9; ((u += 2), u < v); v -= 1) c += u;
  y[i] = ((a *= 3), CLAMP(a, -5.0f, 5.0f)) + c;
}
