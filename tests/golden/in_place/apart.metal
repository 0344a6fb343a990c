#include <metal_stdlib>
using namespace metal;

// support library: cu::inout_ptr, cu::inout

// Names that arrays of MLX's have beside `x`, and pointers that stand in an array.
[[kernel]] void clashing(
    const device float* x_in [[buffer(0)]],
    const device float* x_in_ [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device uint* x_delta [[buffer(3)]],
    device float* x_delta_ [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  cu::inout_ptr<float> x = cu::inout<float>(x_in, x_delta);
  int i = thread_position_in_threadgroup.x;
  if (i < n) {
    x[(i + 1) % n] = x.base[(i + 1) % n] + x_in_[i];
    x_delta_[i] = 2.0f * x_in_[i];
  }
}

[[kernel]] void rows(
    const device float* y_in [[buffer(0)]],
    const device float* x [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device uint* y_delta [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  cu::inout_ptr<float> y = cu::inout<float>(y_in, y_delta);
  int i = thread_position_in_threadgroup.x;
  cu::inout_ptr<float> halves[2] = {y, y + n};
  if (i < n) {
    halves[0][i] = 1.0f;
    halves[1][i] += x[i];
  }
}
