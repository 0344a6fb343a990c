#include <metal_stdlib>
using namespace metal;

// One pointer moves between two buffers: allowed where both are in the same address space.
[[kernel]] void pick(
    const device float* a [[buffer(0)]],
    const device float* b [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    const constant int& use_b [[buffer(3)]],
    device float* y [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  const device float* p = a;
  if (use_b) p = b;
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) y[i] = p[i];
}
