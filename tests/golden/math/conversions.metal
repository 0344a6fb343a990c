#include <metal_stdlib>
using namespace metal;

// support library: cu::inout_ptr, cu::inout, cu::float2int_rn, cu::float2int_rz, cu::fmul_rn, cu::fadd_rn

// Rounding conversions and bit casts.
[[kernel]] void convert(
    const device float* x [[buffer(0)]],
    const device int* y_in [[buffer(1)]],
    device uint* y_delta [[buffer(2)]],
    device float* z [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  cu::inout_ptr<int> y = cu::inout<int>(y_in, y_delta);
  float v = x[thread_position_in_threadgroup.x];
  y[thread_position_in_threadgroup.x] = cu::float2int_rn(v) + cu::float2int_rz(v) + as_type<int>(v) + (int)v;
  z[thread_position_in_threadgroup.x] = float(y[thread_position_in_threadgroup.x].get()) + as_type<float>(0x3f800000) + cu::fmul_rn(v, v) + cu::fadd_rn(v, 1.0f);
}
