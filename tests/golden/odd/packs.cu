// Parameter packs: temporaries and variables in any memory, forwarded, folded and unfolded by recursion.
#include <utility>

__device__ float sum() { return 0.0f; }
template <typename A, typename... Rest> __device__ float sum(A &&a, Rest &&...rest) {
  return a + sum(std::forward<Rest>(rest)...);
}
template <typename A> __device__ A total(const A &a) { return a; }
template <typename A, typename... Rest> __device__ A total(const A &a, const Rest &...rest) { return a + total(rest...); }
template <typename F, typename... Args> __device__ float call(F f, Args &&...args) { return f(args...); }
template <typename... Args> __device__ float all(Args &&...args) { return (args + ...); }
template <typename... Args> __device__ void zero(Args &&...args) { ((args = 0), ...); }
template <typename A, typename... Rest> __device__ A largest(A a, Rest... rest) {
  if constexpr (sizeof...(rest) > 0) return fmaxf(a, largest(rest...));
  return a;
}

__global__ void packs(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 >= n) return;
  float v = x[i], w = x[i + 1];
  float s = sum(v, 1.0f, v * 2.0f, x[i]) + total(v, w, 2.0f) + total(x[i], x[i + 1]);
  s += call([](float a, float b) { return a * b; }, 2.0f, 3.0f) + largest(v, w, 0.5f);
  s += all(v, w) + all(1.0f, v * 2) + all(x[i], x[i + 1]) + all(v, 1.0f);
  zero(v, w);
  y[i] = s + v + w;
}
void host_packs(const float *x, float *y, int n) { packs<<<(n + 127) / 128, 128>>>(x, y, n); }

__global__ void mixed(const float *x, float *y) {
  float v = x[threadIdx.x];
  call([](float &a, float b) { return a *= b; }, v, 3.0f);  // error: CU2101
  y[threadIdx.x] = v;
}
