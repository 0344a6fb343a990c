// Launch bounds between template header and return type, and from a macro.
#define MAX_THREADS 128
#define BOUNDS(n) __launch_bounds__(n)

template <typename T>
__launch_bounds__(256) __global__ void copy(const T* x, T* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

__global__ void __launch_bounds__(MAX_THREADS, 2) twice(const float* x, float* y) {
  y[threadIdx.x] = 2.0f * x[threadIdx.x];
}

__global__ BOUNDS(64) void thrice(const float* x, float* y) {
  y[threadIdx.x] = 3.0f * x[threadIdx.x];
}
