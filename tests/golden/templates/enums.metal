#include <metal_stdlib>
using namespace metal;

// An enum chooses the code at compile time, another at run time.
enum class Mode { kSum, kMean };

enum Border { CLAMP, WRAP = 4 };

template <int MODE>
[[kernel]] void reduce_rows(
    const device float* x [[buffer(0)]],
    const constant int& width [[buffer(1)]],
    const constant int& border [[buffer(2)]],
    device float* y [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  Border border_value = Border(border);
  float s = 0.0f;
  for (int i = 0; i < width; ++i) s += x[thread_position_in_threadgroup.x * width + i];
  if (Mode(MODE) == Mode::kMean) s /= width;
  switch (border_value) {
    case CLAMP:
      s = fmin(s, 1.0f);
      break;
    case WRAP:
      s -= floor(s);
      break;
  }
  y[thread_position_in_threadgroup.x] = s;
}
