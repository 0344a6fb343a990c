// Functions in a namespace that are called like CUDA's: a call finds those only where C++ does.
#include <limits>

namespace parts {
struct Pair { float a, b; };
template <typename T> __device__ Pair max(Pair p, T low) { return {p.a > low ? p.a : low, p.b > low ? p.b : low}; }
__device__ float fma(float a, float b, float c) { return a * b - c; }
__device__ float inside(float x) { return fma(x, x, 1.0f); }
__device__ float2 fma(float2 a, float2 b, float2 c) { return make_float2(a.x * b.x - c.x, a.y * b.y - c.y); }
template <typename T, int N> __device__ T folded(const T (&x)[N]) {  // of any T, and still not CUDA's
  T sum = x[0];
  for (int i = 1; i < N; ++i) sum = fma(x[i], x[i], sum);
  return sum;
}
}  // namespace parts

#define WIDTH (4 * 8)

__global__ void calls(const float* x, float* y, int n) {
  const int i = threadIdx.x;
  parts::Pair p = {x[i], x[i + 1]};
  float lowest = -std::numeric_limits<float>::max();
  float found = max(p, 0.5f).a + parts::max(p, 0.25f).b;  // by its argument's namespace, and by name
  found += max(x[i], lowest) + max(min(WIDTH, n), 2);     // CUDA's
  y[i] = found + fma(x[i], 2.0f, 1.0f) + parts::fma(x[i], 2.0f, 1.0f) + std::fma(x[i], 3.0f, 1.0f) + parts::inside(x[i]);
  __shared__ float pairs[32][4];
  for (int k = 0; k < 4; ++k) pairs[i][k] = x[i] + k;
  y[i] += parts::folded(reinterpret_cast<float2(&)[2]>(pairs[i])).y;
}
