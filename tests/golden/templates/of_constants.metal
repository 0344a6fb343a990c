#include <metal_stdlib>
using namespace metal;

// constexpr functions that call themselves, for constants; functions as template arguments.
inline constexpr int log2i(int v) { return v <= 1 ? 0 : 1 + log2i(v / 2); }

inline constexpr int bits(int v) { return v == 0 ? 0 : 1 + bits(v & (v - 1)); }

template <int N> struct Table {
  float v[N];
  constexpr Table() : v() { for (int i = 0; i < N; ++i) v[i] = i * 0.5f; }
};

template <int N>
inline float scaled(float v) { return v * N; }

inline float plus(float a, float b) { return a + b; }

[[kernel]] void constants(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  constexpr int levels = log2i(64) + bits(7), some = log2i(16);
  constexpr Table<4> table;
  float parts[log2i(16)];
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= n) return;
  for (int j = 0; j < some; ++j) parts[j] = x[i] + j;
  y[i] = scaled<log2i(8)>(parts[i % 4]) + table.v[i % 4] + levels;
}

[[kernel]] void binary(
    const device float* x [[buffer(0)]],
    const device float* z [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device float* y [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) y[i] = plus(x[i], z[i]);
}
