#include <metal_stdlib>
using namespace metal;

[[kernel]] void halves(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  int i = thread_position_in_threadgroup.x;
  if (i < n) out[i] = 0.5f * in[i];
}
