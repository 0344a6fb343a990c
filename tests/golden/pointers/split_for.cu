// One for statement that would declare pointers into two address spaces.
__global__ void split(const int* x, int* y) {
  __shared__ int s[32];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (const int *p = x, *q = s; p < x + 4; ++p, ++q) y[threadIdx.x] = *p + *q;  // error: CU2104
}
