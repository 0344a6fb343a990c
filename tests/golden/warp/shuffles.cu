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

// Distances that a loop counts: up to a limit, down from a template argument, by any step of its own.
template <typename T, int WIDTH>
__device__ T segment_sum(T v) {
  for (int mask = WIDTH / 2; mask > 0; mask = mask >> 1) v += __shfl_xor_sync(0xffffffffu, v, mask, WIDTH);
  return v;
}

constexpr int kWarp = 32;

__device__ int scan(int v) {
  const int lane = threadIdx.x % kWarp;
  for (int offset = 1; offset < kWarp; offset <<= 1) {
    int below = __shfl_up_sync(0xffffffffu, v, offset);
    if (lane >= offset) v += below;
  }
  return v;
}

__global__ void loops(const int* x, long long* y) {
  int v = x[threadIdx.x];
  long long sum = segment_sum<long long, 8>(v) + scan(v);
  for (int source = 0; source < kWarp; ++source) sum += __shfl_sync(0xffffffffu, v, source) * source;
  for (int mask = 16; mask > 0; mask /= 2) {
    if (v < 0) mask |= 1;  // lanes differ from here on
    sum += __shfl_xor_sync(0xffffffffu, v, mask);
  }
  y[threadIdx.x] = sum;
}
