#include <metal_stdlib>
using namespace metal;

[[kernel]] void literals(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  y[thread_position_in_threadgroup.x] = x[thread_position_in_threadgroup.x] * 0.5 + 1.0;
}
