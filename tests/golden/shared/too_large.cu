// 48 KB is fine for CUDA and too much for a Metal threadgroup.
__global__ void large(const float* x, float* y) {
  __shared__ float s[12288];  // error: CU5001
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = s[threadIdx.x ^ 1];
}
