#include <metal_stdlib>
using namespace metal;

// support library: cu::inout_ptr, cu::inout

// flags: --gradient table.toml
// A backward kernel that turns the cotangent into the gradient in place, under names that say little.
[[kernel]] void gelu_kernel(
    const device float* input [[buffer(0)]],
    const device float* mask [[buffer(1)]],
    const device int* order [[buffer(2)]],
    const constant int& row_stride [[buffer(3)]],
    device float* vals [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  for (int c = thread_position_in_threadgroup.x; c < row_stride; c += threads_per_threadgroup.x) {
    const int i = threadgroup_position_in_grid.x * row_stride + c;
    vals[i] = mask[c] * input[i] / (1.0f + precise::exp(-1.702f * input[order[i]]));
  }
}

[[kernel]] void d_gelu_func(
    const device float* d_output_in [[buffer(0)]],
    const device float* gelu_input [[buffer(1)]],
    const device float* mask [[buffer(2)]],
    const device int* order [[buffer(3)]],
    const constant int& row_stride [[buffer(4)]],
    const constant float& seed [[buffer(5)]],
    device uint* d_output_delta [[buffer(6)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<float> d_output = cu::inout<float>(d_output_in, d_output_delta);
  for (int c = thread_position_in_threadgroup.x; c < row_stride; c += threads_per_threadgroup.x) {
    const int i = threadgroup_position_in_grid.x * row_stride + c;
    const float s = 1.0f / (1.0f + precise::exp(-1.702f * gelu_input[order[i]]));
    d_output[i] = d_output.base[i] * (seed * mask[c] * s * (1.0f + 1.702f * gelu_input[i] * (1.0f - s)));
  }
}
