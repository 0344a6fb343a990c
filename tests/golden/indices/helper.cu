// A helper that uses thread indices gets them from its caller, through another helper.
__device__ int global_index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ __forceinline__ bool inside(int n) { return global_index() < n; }

__global__ void negate(const float* __restrict__ x, float* __restrict__ y, int n) {
  if (inside(n)) {
    const int i = global_index();  // again
    y[i] = -x[i];
  }
}

void launch(const float* x, float* y, int n) {
  const int block = 256;
  negate<<<(n + block - 1) / block, block>>>(x, y, n);
}
