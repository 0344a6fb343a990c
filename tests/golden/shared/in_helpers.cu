// Shared memory declared in helpers: plain, in a template, and dynamic.
__device__ float block_max(float v) {
  __shared__ float s[32];
  s[threadIdx.x] = v;
  __syncthreads();
  float m = s[0];
  for (int i = 1; i < 32; ++i) m = fmaxf(m, s[i]);
  return m;
}

template <typename T>
__device__ T broadcast(T v) {
  __shared__ T first;
  if (threadIdx.x == 0) first = v;
  __syncthreads();
  return first;
}

__device__ float neighbour(float v) {
  extern __shared__ float row[];
  row[threadIdx.x] = v;
  __syncthreads();
  return row[(threadIdx.x + 1) % blockDim.x];
}

__global__ void largest(const float* x, float* y) {
  y[threadIdx.x] = block_max(x[threadIdx.x]);
}

__global__ void spread(const int* x, int* y) {
  y[threadIdx.x] = broadcast(x[threadIdx.x]);
}

__global__ void shift(const float* x, float* y) {
  y[threadIdx.x] = neighbour(x[threadIdx.x]);
}
