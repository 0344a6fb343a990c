#include <metal_stdlib>
using namespace metal;

// support library: cu::inout_ptr, cu::inout

template <bool SHIFTED>
struct Scale;

template <>
struct Scale<false> {
  float factor;
  Scale(float low, float high) : factor(high - low) {}
  void store(cu::inout_ptr<float> scales, int row) const { scales[row] = scales.base[row] + factor; }
};

template <>
struct Scale<true> {
  float factor, offset;
  Scale(float low, float high) : factor(high - low), offset(low) {}
  void store(cu::inout_ptr<float> scales, int row) const {
    scales[2 * row] = scales.base[2 * row] + factor;
    scales[2 * row + 1] += offset;
  }
};

struct Range {
  float low, high;
  template <bool SHIFTED>
Scale<SHIFTED> scale() const {
    return Scale<SHIFTED>(low, high);
  }
};

template <bool SHIFTED>
[[kernel]] void scales_of_rows(
    const device float* x [[buffer(0)]],
    const device float* scales_in [[buffer(1)]],
    const constant int& rows [[buffer(2)]],
    const constant int& width [[buffer(3)]],
    device uint* scales_delta [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<float> scales = cu::inout<float>(scales_in, scales_delta);
  int row = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (row >= rows) return;
  Range range = {x[row * width], x[row * width]};
  for (int i = 1; i < width; ++i) {
    range.low = fmin(range.low, x[row * width + i]);
    range.high = fmax(range.high, x[row * width + i]);
  }
  auto scale = range.template scale<SHIFTED>();
  scale.store(scales, row);
}
