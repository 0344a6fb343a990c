// Atomics in shared memory, then one atomic per block.
__global__ void block_histogram(const unsigned char* x, unsigned int* bins, int n) {
  __shared__ unsigned int local[256];
  for (int b = threadIdx.x; b < 256; b += blockDim.x) local[b] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&local[x[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&bins[b], local[b]);
}

__global__ void extremes(const float* x, int* y) {
  __shared__ int least;
  __shared__ float sum;
  if (threadIdx.x == 0) {
    least = INT_MAX;
    sum = 0.0f;
  }
  __syncthreads();
  atomicMin(&least, (int)x[threadIdx.x]);
  atomicAdd(&sum, x[threadIdx.x]);
  __syncthreads();
  y[threadIdx.x] = least + (int)sum;
}
