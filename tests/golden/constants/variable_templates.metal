#include <metal_stdlib>
using namespace metal;

template <typename T> constexpr constant T pi_v = T(3.14159265358979);

template <typename T> constexpr constant bool is_small = sizeof(T) < 4;

constexpr constant int kOctal = 017;

constexpr constant int kBig = 1'000'000;

constexpr constant int kBits = 0b1010'1010;

[[kernel]] void constants(
    const device int* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  if (const int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x; i < n) {
    float v = 0.0f;
    if (int low = x[i] & 3) v = low * pi_v<float>;
    switch (int rest = x[i] % 3; rest) {
      case 0: v += kOctal; break;
      case 1: ;
      default: v -= kBig * 1e-6f;
    }
    y[i] = v + kBits % 7 + is_small<char>;
  }
}
