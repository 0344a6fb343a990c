// std::tuple: made, returned, taken apart by name, by number and into variables. A std::pair counts as one of two.
#include <tuple>
#include <utility>

__device__ std::tuple<int, float> divided(float x, int n) { return std::make_tuple(int(x) / n, x / n); }
__device__ std::tuple<int, float, bool> signs(float x) { return {int(x), -x, x < 0.0f}; }
__device__ std::pair<float, int> larger(std::pair<float, int> a, std::pair<float, int> b) {
  return a.first > b.first ? a : b;
}

__global__ void tuples(const float *x, float *y, int *at, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int q, whole;
  float r, rest;
  std::tie(q, r) = divided(x[i], 3);
  auto t = divided(x[i], 5);
  auto [a, b] = divided(x[i], 7);
  auto [s, negated, below] = signs(x[i]);
  std::get<0>(t) += 2;
  std::pair<float, int> p{x[i], i};
  p = larger(p, std::make_pair(x[(i + 1) % n], (i + 1) % n));
  std::tie(rest, whole) = p;
  y[i] = q + r + std::get<0>(t) * 2 + std::get<1>(t) + a * 3 + b + s + negated + below + std::get<0>(p) + rest;
  at[i] = std::get<1>(p) + whole + std::get<0>(divided(x[i], 2)) + max(a, 1);
}
void host_tuples(const float *x, float *y, int *at, int n) { tuples<<<(n + 127) / 128, 128>>>(x, y, at, n); }
