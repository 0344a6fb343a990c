// Two shared halves swap their roles through pointers.
__device__ void swap(int*& a, int*& b) {
  int* t = a;
  a = b;
  b = t;
}

__global__ void scan(const int* x, int* y) {
  __shared__ int halves[2][256];
  int *in = halves[0], *out = halves[1];
  int t = threadIdx.x;
  in[t] = x[t];
  __syncthreads();
  for (int step = 1; step < 256; step <<= 1) {
    out[t] = t >= step ? in[t] + in[t - step] : in[t];
    __syncthreads();
    swap(in, out);
  }
  y[t] = in[t];
}
