#include <metal_stdlib>
using namespace metal;

// A local of the name of a template parameter: CUDA's compiler takes it, the lines before it mean the parameter.
template <int BITS, int LEVELS>
[[kernel]] void quantise(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  constexpr int WIDE = LEVELS + 1;
  constexpr int LEVELS_ = (1 << BITS) - 1;
  if (i < n) y[i] = floor(x[i] * LEVELS_) / LEVELS_ * WIDE;
}
