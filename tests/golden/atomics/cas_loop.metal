#include <metal_stdlib>
using namespace metal;

// support library: cu::inout_ptr, cu::reinterpret, cu::atomic_cas, cu::inout

// The maximum of floats by a loop over compare-and-swap.
inline float atomicMaxFloat(cu::inout_ptr<float> address, float value) {
  cu::inout_ptr<int> as_int = cu::reinterpret<int>(address);
  int old = (*as_int).get(), assumed;
  do {
    assumed = old;
    old = cu::atomic_cas(as_int, assumed, as_type<int>(fmax(value, as_type<float>(assumed))));
  } while (assumed != old);
  return as_type<float>(old);
}

[[kernel]] void column_max(
    const device float* x [[buffer(0)]],
    const device float* y_in [[buffer(1)]],
    const constant int& width [[buffer(2)]],
    device uint* y_delta [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<float> y = cu::inout<float>(y_in, y_delta);
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  atomicMaxFloat((y + (i % width)), x[i]);
}
