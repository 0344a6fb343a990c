#include <metal_stdlib>
using namespace metal;

[[kernel]] void stops(
    const device int* x [[buffer(0)]],
    device int* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  if (x[thread_position_in_threadgroup.x] < 0) ((void)0);  // warning: CU4109
  y[thread_position_in_threadgroup.x] = x[thread_position_in_threadgroup.x];
}
