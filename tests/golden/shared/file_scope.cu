// Shared memory outside any function.
__shared__ int counter;

__global__ void count(int* out) {
  if (threadIdx.x == 0) counter = 7;  // error: CU3702
  __syncthreads();
  out[threadIdx.x] = counter;  // error: CU3702
}
