#include <metal_stdlib>
using namespace metal;

// An #if that splits one construct: one branch has to be chosen.
[[kernel]] void clip(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  if (int i = thread_position_in_threadgroup.x; i < n) {
    y[i] = fmin(x[i], 1.0f);
  }
}
