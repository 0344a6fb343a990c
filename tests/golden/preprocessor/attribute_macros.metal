#include <metal_stdlib>
using namespace metal;

inline float half_of(float v) { return v * 0.5f; }

[[kernel]] void second(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  y[thread_position_in_threadgroup.x] = half_of(x[thread_position_in_threadgroup.x]);
}
