// __device__ variables: a counter that kernels change, a pointer that the host sets.
__device__ int counter;
__device__ float* table;

__global__ void count(const int* x) {
  if (x[threadIdx.x] > 0) atomicAdd(&counter, 1);
}

__global__ void read(float* y) {
  y[threadIdx.x] = table[threadIdx.x];  // error: CU3701
}
