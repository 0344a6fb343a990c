// A helper for host and device: what only the host's branch needs is none of the kernel's business.
__host__ __device__ void sort_pair(float* pair) {
#ifdef __CUDACC__
  if (pair[1] < pair[0]) {
    float first = pair[0];
    pair[0] = pair[1];
    pair[1] = first;
  }
#else
  std::sort(pair, pair + 2);
#endif
}

__global__ void sort_pairs(const float* x, float* y, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  float pair[2] = {x[2 * i], x[2 * i + 1]};
  sort_pair(pair);
#if CUDA_VERSION >= 9000
  y[2 * i] = pair[0];
#else
  y[2 * i] = tex1Dfetch(texels, i);
#endif
  y[2 * i + 1] = pair[1];
}
