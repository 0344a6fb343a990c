// Names for the parts of a value: `auto [a, b]`. References to what a function returns. Lists in loops.
#include <array>
#include <utility>

struct Pair {
  float first, second;
};
__device__ float f(float x) { return x * 2.0f; }
__device__ Pair both(float x) { return {x, x + 1.0f}; }
__device__ std::array<float, 2> halves(float x) { return {x, 0.5f * x}; }

__global__ void bindings(const float* x, float* y) {
  auto [a, b] = both(3.0f);
  const auto& [c, d] = both(x[0]);
  y[0] = a * b + c * d + f(c);
  Pair p{x[0], x[1]};
  auto& [i, f] = p;  // hides the function
  f += 1.0f;
  y[1] = p.second + i;
  const auto& whole = both(2.0f);
  y[2] = whole.second;
  auto&& moved = both(x[2]);
  y[3] = moved.first;
}
void host_bindings(const float* x, float* y) { bindings<<<1, 1>>>(x, y); }

__global__ void of_arrays(const float* x, float* y) {
  std::array<float, 2> pair = {x[0], x[1]};
  auto [q, r] = pair;
  q += 1.0f;
  auto& [s, t] = pair;
  t += 2.0f;
  y[0] = q - r;
  y[1] = pair[1] + s;
  auto [u, v] = halves(x[2]);
  const auto& [g, h] = halves(x[3]);
  y[2] = u + v + g * h;
  float plain[3] = {1.0f, 2.0f, 3.0f};
  auto& [k0, k1, k2] = plain;
  k1 = x[1];
  auto [l0, l1, l2] = plain;
  y[3] = plain[1] + k0 + k2 + l0 + l1 + l2;
  std::pair<int, float> best{1, x[3]};
  auto& [index, value] = best;
  value += 1.0f;
  y[4] = best.second + index;
}
void host_of_arrays(const float* x, float* y) { of_arrays<<<1, 1>>>(x, y); }

__global__ void lists(const float* x, float* y) {
  float sum = 0.0f;
  for (int k : {1, 2, 4}) sum += x[k];
  if (sum > 0.0f)
    for (auto scale : {0.5f, 2.0f}) {
      if (scale > 1.0f) break;
      sum *= scale;
    }
  for (const auto& k : {3u, 5u}) sum += k;
  y[0] = sum;
}
void host_lists(const float* x, float* y) { lists<<<1, 1>>>(x, y); }

// The parts stand for members where the whole lives: in a buffer, in shared memory.
__global__ void in_memory(Pair* p, const float* x, float* y, int n) {
  __shared__ Pair shared[32];
  int i = threadIdx.x;
  auto& [a, b] = shared[i];
  a = x[i];
  b = 2.0f * a;
  __syncthreads();
  auto [c, d] = shared[31 - i];
  y[i] = c + d;
  if (i < n) {
    auto& [first, second] = p[i];
    first = c;
    second = d + 1.0f;
  }
}
void host_in_memory(Pair* p, const float* x, float* y, int n) { in_memory<<<1, 32>>>(p, x, y, n); }
