#include <metal_stdlib>
using namespace metal;

struct Pair { float a, b; };

template <typename T>
inline Pair max_(Pair p, T low) { return {p.a > low ? p.a : low, p.b > low ? p.b : low}; }

inline float fma_(float a, float b, float c) { return a * b - c; }

inline float inside(float x) { return fma_(x, x, 1.0f); }

#define WIDTH (4 * 8)

[[kernel]] void calls(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  const int i = thread_position_in_threadgroup.x;
  Pair p = {x[i], x[i + 1]};
  float lowest = -numeric_limits<float>::max();
  float found = max_(p, 0.5f).a + max_(p, 0.25f).b;  // by its argument's namespace, and by name
  found += fmax(x[i], lowest) + max(min(WIDTH, n), 2);     // CUDA's
  y[i] = found + fma(x[i], 2.0f, 1.0f) + fma_(x[i], 2.0f, 1.0f) + fma(x[i], 3.0f, 1.0f) + inside(x[i]);
}
