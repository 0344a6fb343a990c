// Default template arguments, an empty argument list, sizes from a container, a cast pointer as argument.
#include <vector>

__device__ int calls;

template <typename T = float, int N = 4>
__global__ void repeat(const T* x, T* y) {
  for (int k = 0; k < N; ++k) y[threadIdx.x * N + k] = x[threadIdx.x];
}

__global__ void count() {
  atomicAdd(&calls, 1);
}

void launch(const std::vector<float>& host, void* x, void* y) {
  repeat<><<<1, host.size()>>>((const float*)x, static_cast<float*>(y));
  count<<<1, 1>>>();
}
