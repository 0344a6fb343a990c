#include <metal_stdlib>
using namespace metal;

// support library: cu::inout_ptr, cu::inout, cu::fmul_rn

#define __CUDA_ARCH__ 700

// Both branches of an #if survive; harmless macros stay, those that carry CUDA are expanded.
#define PI 3.14159265f

#define SQUARE(x) ((x) * (x))

[[kernel]] void area(
    const device float* r [[buffer(0)]],
    const device float* y_in [[buffer(1)]],
    device uint* y_delta [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  cu::inout_ptr<float> y = cu::inout<float>(y_in, y_delta);
#ifdef USE_FAST
  y[thread_position_in_threadgroup.x] = cu::fmul_rn(PI, SQUARE(r[thread_position_in_threadgroup.x]));
#else
  y[thread_position_in_threadgroup.x] = PI * SQUARE(r[thread_position_in_threadgroup.x]);  // the usual way
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600
  y[thread_position_in_threadgroup.x] += 1.0f;
#elif 0
  y[thread_position_in_threadgroup.x] += 2.0f;
#endif
}
