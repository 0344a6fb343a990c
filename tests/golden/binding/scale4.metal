#include <metal_stdlib>
using namespace metal;

[[kernel]] void scale4(
    const device float* x [[buffer(0)]],
    const constant float* factor [[buffer(1)]],
    device float* grid [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  uint i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  ((device float4*)grid)[i] = ((const device float4*)x)[i] * *(const constant float4*)factor;
}
