#include <metal_stdlib>
using namespace metal;

template <typename T>
struct plus {
  T operator()(T a, T b) const { return a + b; }
};

template <typename T>
struct maximum {
  T operator()(T a, T b) const { return a < b ? b : a; }
};

template <typename T>
struct minimum {
  T operator()(T a, T b) const { return a < b ? a : b; }
};

template <typename T>
struct less {
  bool operator()(T a, T b) const { return a < b; }
};

template <typename Op>
inline float over_warp(float x, Op op) {
  for (int offset = 16; offset > 0; offset /= 2) x = op(x, simd_shuffle_xor(x, offset));
  return x;
}

[[kernel]] void fold(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  using Op = minimum<float>;
  Op op;
  maximum<float> larger;
  plus<int> add;
  float folded = x[0], most = x[0];
  int count = 0;
  for (int i = thread_position_in_threadgroup.x; i < n; i += 32) {
    folded = op(folded, x[i]);
    most = larger(most, x[i]);
    count = add(count, less<float>()(x[i], 0.0f));
  }
  folded = over_warp(folded, op);
  most = over_warp(most, larger);
  const float below = over_warp(float(count), plus<float>());
  if (thread_position_in_threadgroup.x == 0) {
    y[0] = folded;
    y[1] = most;
    y[2] = below;
  }
}
