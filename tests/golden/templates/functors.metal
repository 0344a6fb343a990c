#include <metal_stdlib>
using namespace metal;

struct Max {
  float operator()(float a, float b) const { return fmax(a, b); }
  static float identity() { return -INFINITY; }
};

// Functors as template arguments and as arguments.
struct Add {
  float operator()(float a, float b) const { return a + b; }
  static float identity() { return 0.0f; }
};

[[kernel]] void fold(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  using Op = Max;
  Op op;
  float value = Op::identity();
  for (int i = thread_position_in_threadgroup.x; i < n; i += threads_per_threadgroup.x) value = op(value, x[i]);
  y[thread_position_in_threadgroup.x] = value;
}

[[kernel]] void combine(
    const device float* a [[buffer(0)]],
    const device float* b [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  using Op = Add;
  Op op;
  y[thread_position_in_threadgroup.x] = op(a[thread_position_in_threadgroup.x], b[thread_position_in_threadgroup.x]);
}
