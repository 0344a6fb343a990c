// Barriers that count or vote over the block.
__global__ void votes(const int* x, int* count, int* all, int* any) {
  int positive = x[threadIdx.x] > 0;
  int n = __syncthreads_count(positive);
  int every = __syncthreads_and(positive);
  int some = __syncthreads_or(positive);
  if (threadIdx.x == 0) {
    count[blockIdx.x] = n;
    all[blockIdx.x] = every;
    any[blockIdx.x] = some;
  }
}
