#include <metal_stdlib>
using namespace metal;

// cu_has_bias: whether bias is given
// cu_has_scale: whether scale is given
// cu_has_state: whether state is given
// cu_has_sums: whether sums is given
template <typename T, bool cu_has_bias, bool cu_has_scale, bool cu_has_state, bool cu_has_sums>
[[kernel]] void biased(
    const device T* bias [[buffer(0)]],
    const device float* scale [[buffer(1)]],
    const device float* state_in [[buffer(2)]],
    const constant uint& cu_size_of_state [[buffer(3)]],
    const constant int& n [[buffer(4)]],
    device float* state [[buffer(5)]],
    device float* y [[buffer(6)]],
    device float* sums [[buffer(7)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  if (!cu_has_bias) bias = nullptr;
  if (!cu_has_scale) scale = nullptr;
  if (thread_position_in_grid.x < cu_size_of_state) state[thread_position_in_grid.x] = state_in[thread_position_in_grid.x];
  if (!cu_has_state) state = nullptr;
  if (!cu_has_sums) sums = nullptr;
  uint i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= n) return;
  y[i] = (scale ? scale[i] : 1.0f) + (bias ? float(bias[i]) : 0.0f);
  if (state) state[i] += y[i];
  if (sums) sums[i] = 2.0f * y[i];
}
