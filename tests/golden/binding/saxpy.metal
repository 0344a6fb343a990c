#include <metal_stdlib>
using namespace metal;

// gr\u00f6\u00dfe

template <typename T>
[[kernel]] void saxpy(
    const constant int& n [[buffer(0)]],
    const constant T& a [[buffer(1)]],
    const device T* x [[buffer(2)]],
    const device T* y_in [[buffer(3)]],
    const constant uint& cu_size_of_y [[buffer(4)]],
    device T* y [[buffer(5)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  uint i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < cu_size_of_y) y[i] = y_in[i];
  if (i < n) y[i] = a * x[i] + y[i];
}
