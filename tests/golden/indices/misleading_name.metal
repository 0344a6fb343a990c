#include <metal_stdlib>
using namespace metal;

// The name says matmul, the body subtracts: only the body counts.
[[kernel]] void matmul(
    const device float* a [[buffer(0)]],
    const device float* b [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device float* c [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) c[i] = a[i] - b[i];
}
