#include <metal_stdlib>
using namespace metal;

inline float sum() { return 0.0f; }

template <typename A, typename... Rest>
inline float sum(thread A &a, Rest... rest) {
  return a + sum((rest)...);
}

template <typename A>
inline A total(const thread A &a) { return a; }

template <typename A, typename... Rest>
inline A total(const thread A &a, Rest... rest) { return a + total(rest...); }

template <typename A, typename... Rest>
inline A total(const device A &a, Rest... rest) { return a + total(rest...); }

template <typename F, typename... Args>
inline float call(F f, Args... args) { return f(args...); }

template <typename... Args>
inline float all_(Args... args) { return (args + ...); }

template <typename... Args>
inline void zero(thread Args &...args) { ((args = 0), ...); }

template <typename A, typename... Rest>
inline A largest(A a, Rest... rest) {
  if constexpr (sizeof...(rest) > 0) return fmax(float(a), float(largest(rest...)));
  return a;
}

[[kernel]] void packs(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i + 1 >= n) return;
  float v = x[i], w = x[i + 1];
  float s = sum(v, 1.0f, v * 2.0f, x[i]) + total(v, w, 2.0f) + total(x[i], x[i + 1]);
  s += call([](float a, float b) { return a * b; }, 2.0f, 3.0f) + largest(v, w, 0.5f);
  s += all_(v, w) + all_(1.0f, v * 2) + all_(x[i], x[i + 1]) + all_(v, 1.0f);
  zero(v, w);
  y[i] = s + v + w;
}
