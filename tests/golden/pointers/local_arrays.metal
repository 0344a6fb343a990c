#include <metal_stdlib>
using namespace metal;

// A per-thread array of more than 256 bytes, and one in two dimensions.
[[kernel]] void local(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  float window[96];
  float square[3][3] = {{0.0f}};
  for (int i = 0; i < 96; ++i) window[i] = x[thread_position_in_threadgroup.x * 96 + i];
  for (int i = 0; i < 9; ++i) square[i / 3][i % 3] += window[i * 10];
  y[thread_position_in_threadgroup.x] = square[0][0] + square[1][1] + square[2][2] + window[95];
}
