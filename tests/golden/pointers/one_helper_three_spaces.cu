// One helper is fed device, shared and local memory; each space gets its own overload.
__device__ float sum4(const float* p) { return p[0] + p[1] + p[2] + p[3]; }

__device__ void increment(int& value) { ++value; }

__global__ void sums(const float* x, float* y, int* counts) {
  __shared__ float tile[128];
  float local[4] = {1.0f, 2.0f, 3.0f, 4.0f};
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = sum4(x) + sum4(tile + threadIdx.x / 4 * 4) + sum4(local);
  int n = 0;
  increment(n);
  increment(counts[threadIdx.x]);
  y[threadIdx.x] += n;
}
