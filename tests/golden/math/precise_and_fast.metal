#include <metal_stdlib>
using namespace metal;

// support library: cu::sincos, cu::erf, cu::log1p, cu::saturatef

// The accurate functions, and the fast ones that CUDA names with two underscores.
[[kernel]] void accurate(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  float v = x[thread_position_in_threadgroup.x];
  float s, c;
  cu::sincos(v, &s, &c);
  y[thread_position_in_threadgroup.x] = precise::exp(v) + precise::log(v) + precise::sqrt(v) + precise::rsqrt(v) + precise::tanh(v) + precise::pow(v, 1.5f) + s * c + cu::erf(v) +
                   cu::log1p(v) + fma(v, v, 1.0f) + fabs(v) + copysign(v, -1.0f) + round(v);
}

[[kernel]] void quick(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  float v = x[thread_position_in_threadgroup.x];
  y[thread_position_in_threadgroup.x] = fast::exp(v) * fast::divide(v, 3.0f) + fast::sin(v) + fast::pow(v, 2.0f) + fast::log(v) + cu::saturatef(v);
}

[[kernel]] void plain_names(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  float v = x[thread_position_in_threadgroup.x];
  y[thread_position_in_threadgroup.x] = precise::exp(v) + precise::sqrt(v) + precise::pow(v, 2.0f) + floor(v) + isnan(v) + fabs(v) + precise::tanh(v);
}
