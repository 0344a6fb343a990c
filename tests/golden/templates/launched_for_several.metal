#include <metal_stdlib>
using namespace metal;

template <typename T>
inline T squared(const device T& x) { return x * x; }

template <typename T>
inline T halved(const device T& x) { return x / 2; }

inline float add(float a, float b) { return a + b; }

template <int N> struct Repeat { static constexpr constant int times = N; };

inline float larger(float a, float b) { return fmax(a, b); }

struct Once { static constexpr constant int times = 1; };

template <typename T>
[[kernel]] void map_squared(
    const device T* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device T* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  const int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) y[i] = squared(x[i]);
}

template <typename T>
[[kernel]] void map_halved(
    const device T* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device T* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  const int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) y[i] = halved(x[i]);
}

[[kernel]] void blend_rounds_add_Repeat_3(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  using Rounds = Repeat<3>;
  const int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= n) return;
  float blended = x[i];
  for (int round = 0; round < Rounds::times; ++round) blended = add(blended, x[i]);
  y[i] = blended;
}

[[kernel]] void blend_rounds_larger_Once(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  using Rounds = Once;
  const int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= n) return;
  float blended = x[i];
  for (int round = 0; round < Rounds::times; ++round) blended = larger(blended, x[i]);
  y[i] = blended;
}
