#include <metal_stdlib>
using namespace metal;

template <typename T> struct Wide;

template <> struct Wide<half> { using type = float; static float up(half x) { return float(x); } static half down(float x) { return half(x); } };

struct Add { float operator()(float a, float b) const { return a + b; } };

template <typename T>
[[kernel]] void scale(
    const device T* x [[buffer(0)]],
    const constant float& s [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device T* y [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) y[i] = Wide<T>::down(Wide<T>::up(x[i]) * s);
}

template <typename T, int N>
[[kernel]] void fold(
    const device T* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device T* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  using Op = Add;
  Op op;
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= n) return;
  float s = 0.0f;
  for (int k = 0; k < N; ++k) s = op(s, (float)x[i * N + k]);
  y[i] = (T)s;
}
