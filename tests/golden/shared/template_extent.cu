// A helper whose shared array is sized by its own template parameter: the kernel cannot declare it.
template <int N>
__device__ int sum_of(const int* x) {  // error: CU3703
  __shared__ int s[N];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  int total = 0;
  for (int i = 0; i < N; ++i) total += s[i];
  return total;
}

__global__ void total(const int* x, int* y) {
  y[0] = sum_of<64>(x);
}
