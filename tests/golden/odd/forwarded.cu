// Lambdas and objects made on the spot, for parameters that forward.
#define GID (blockIdx.x * blockDim.x + threadIdx.x)

struct Scale { float by; __device__ float operator()(float x) const { return x * by; } };
struct Count { int n; __device__ void operator()(int k) { n += k; } };

template <typename F> __device__ void each(int n, F &&f) {
  for (int i = GID; i < n; i += blockDim.x * gridDim.x) f(i);
}
template <typename F> __device__ void thrice(F &&f) { for (int k = 0; k < 3; ++k) f(k); }
template <typename F> __device__ float apply(F &&f, float x) { return f(x); }
template <typename T, typename F> __device__ T fold(const T *x, int n, T init, F &&f) {
  for (int i = 0; i < n; ++i) init = f(init, x[i]);
  return init;
}

__global__ void lambdas(float *out, const float *in, int n) {
  each(n, [=](int i) { out[i] = in[i] * 2; });
  auto more = [&](int i) { out[i] += 1.0f; };
  each(n, more);
}

__global__ void functors(float *out, const float *in, int n) {
  int i = GID;
  Count count{1};
  thrice(count);
  if (i < n) out[i] = apply(Scale{3.0f}, in[i]) + fold(in, min(n, 5), 1.0f, [](float a, float b) { return fmaxf(a, b); }) + count.n;
}
