// One pointer moves between two buffers: allowed where both are in the same address space.
__global__ void pick(const float* a, const float* b, float* y, int n, int use_b) {
  const float* p = a;
  if (use_b) p = b;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = p[i];
}

__global__ void mixed(const float* a, float* y) {
  __shared__ float tile[32];
  tile[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  const float* p = a;
  if (threadIdx.x & 1) p = tile;  // error: CU2101
  y[threadIdx.x] = p[threadIdx.x];
}
