#include <metal_stdlib>
using namespace metal;

template <typename T>
struct Internal;

template <>
struct Internal<float> {
  typedef float scalar;
};

template <>
struct Internal<half> {
  typedef float scalar;
};

template <typename T>
[[kernel]] void logistic(
    const device T* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device T* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  typedef typename Internal<T>::scalar scalar;
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= n) return;
  scalar value = (scalar)x[i];
  y[i] = (T)((scalar)1 / (precise::exp(float(-value)) + (scalar)1));
}
