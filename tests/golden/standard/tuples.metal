#include <metal_stdlib>
using namespace metal;

// support library: cu::tuple, cu::make_tuple, cu::pair, cu::tie, cu::get, cu::make_pair, cu::part_of

inline cu::tuple<int, float> divided(float x, int n) { return cu::make_tuple(int(x) / n, x / n); }

inline cu::tuple<int, float, bool> signs(float x) { return {int(x), -x, x < 0.0f}; }

inline cu::pair<float, int> larger(cu::pair<float, int> a, cu::pair<float, int> b) {
  return a.first > b.first ? a : b;
}

[[kernel]] void tuples(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    device int* at [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= n) return;
  int q, whole;
  float r, rest;
  cu::tie(q, r) = divided(x[i], 3);
  auto t = divided(x[i], 5);
  auto [a, b] = divided(x[i], 7);
  auto [s, negated, below] = signs(x[i]);
  cu::get<0>(t) += 2;
  cu::pair<float, int> p{x[i], i};
  p = larger(p, cu::make_pair(x[(i + 1) % n], (i + 1) % n));
  cu::tie(rest, whole) = p;
  y[i] = q + r + cu::get<0>(t) * 2 + cu::get<1>(t) + a * 3 + b + s + negated + below + cu::get<0>(p) + rest;
  at[i] = cu::get<1>(p) + whole + cu::part_of<0>(divided(x[i], 2)) + max(a, 1);
}
