#include <metal_stdlib>
using namespace metal;

#define __CUDA_ARCH__ 700

// A host and device function with a body that depends on the architecture.
inline float reciprocal(float v) {
#ifdef __CUDA_ARCH__
  return precise::divide(1.0f, v);
#else
  return 1.0f / v;
#endif
}

[[kernel]] void invert(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  y[thread_position_in_threadgroup.x] = reciprocal(x[thread_position_in_threadgroup.x]);
}
