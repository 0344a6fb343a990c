#include <metal_stdlib>
using namespace metal;

// support library: cu::inout_ptr, cu::inout

struct Pair { float a, b; };

template <typename T>
inline Pair max_(Pair p, T low) { return {p.a > low ? p.a : low, p.b > low ? p.b : low}; }

inline float fma_(float a, float b, float c) { return a * b - c; }

inline float inside(float x) { return fma_(x, x, 1.0f); }

inline float2 fma_(float2 a, float2 b, float2 c) { return float2(a.x * b.x - c.x, a.y * b.y - c.y); }

template <typename T, int N>
inline T folded(const threadgroup T (&x)[N]) {  // of any T, and still not CUDA's
  T sum = x[0];
  for (int i = 1; i < N; ++i) sum = fma_(x[i], x[i], sum);
  return sum;
}

#define WIDTH (4 * 8)

[[kernel]] void calls(
    const device float* x [[buffer(0)]],
    const device float* y_in [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device uint* y_delta [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  cu::inout_ptr<float> y = cu::inout<float>(y_in, y_delta);
  const int i = thread_position_in_threadgroup.x;
  Pair p = {x[i], x[i + 1]};
  float lowest = -numeric_limits<float>::max();
  float found = max_(p, 0.5f).a + max_(p, 0.25f).b;  // by its argument's namespace, and by name
  found += fmax(x[i], lowest) + max(min(WIDTH, n), 2);     // CUDA's
  y[i] = found + fma(x[i], 2.0f, 1.0f) + fma_(x[i], 2.0f, 1.0f) + fma(x[i], 3.0f, 1.0f) + inside(x[i]);
  threadgroup float pairs[32][4];
  for (int k = 0; k < 4; ++k) pairs[i][k] = x[i] + k;
  y[i] += folded(reinterpret_cast<threadgroup float2(&)[2]>(pairs[i])).y;
}
