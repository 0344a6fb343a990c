// Shuffles with full and partial width, wrapping source lanes, and lane arithmetic of one's own.
__device__ float warp_sum(float v) {
  for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_down_sync(0xffffffffu, v, offset);
  return v;
}

__device__ __forceinline__ int xor_sum(int v) {
#pragma unroll
  for (int mask = 16; mask; mask /= 2) v += __shfl_xor_sync(0xffffffff, v, mask);
  return v;
}

__global__ void sums(const float* x, const int* k, float* y, int* z) {
  float s = warp_sum(x[threadIdx.x]);
  y[threadIdx.x] = __shfl_sync(0xffffffffu, s, 0);
  z[threadIdx.x] = xor_sum(k[threadIdx.x]);
}

__global__ void segments(const int* x, int* y) {
  unsigned int lane = threadIdx.x & 31;
  int v = x[threadIdx.x];
  int next = __shfl_sync(0xffffffffu, v, (lane + 1), 8);
  int before = __shfl_up_sync(0xffffffffu, v, 1, 16);
  int far = __shfl_down_sync(0xffffffffu, v, 2, 16);
  int pair = __shfl_xor_sync(0xffffffffu, v, 1, 8);
  y[threadIdx.x] = next + 10 * before + 100 * far + 1000 * pair;
}
