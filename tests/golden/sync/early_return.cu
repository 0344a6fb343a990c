// Threads that return before a barrier stay behind a flag: Metal's barriers want the whole threadgroup.
__global__ void neighbours(const float* x, float* y, int n) {
  __shared__ float tile[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float own = x[i];
  const int other = (threadIdx.x + 1) % 64;
  tile[threadIdx.x] = own;
#pragma unroll
  for (int k = 0; k < 2; ++k) tile[threadIdx.x] += k;
  __syncthreads();
  if (i + 1 < n) y[i] = own + tile[other];
}

__device__ float twice(const float* p) { return *p * 2.0f; }

// What they do on the way out, a second way out, one that all take, and a loop of barriers.
__global__ void rounds(const float* x, float* y, const int* skip, int n, int width) {
  __shared__ float sums[32];
  if (n == 0) return;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    if (i < n + 4) y[i] = -1.0f;
    return;
  }
  if (skip[i] > 0) return;
  auto first = twice(x + i);
  sums[threadIdx.x] = first;
  if (width < 0) return;
  for (int k = 0; k < min(width, 3); ++k) {
    __syncthreads();
    float v = sums[threadIdx.x];
    sums[threadIdx.x] = v + k;
    if (k == 1) {
      __syncthreads();
      sums[threadIdx.x] += 1.0f;
    }
  }
  __syncthreads();
  if (x[i] < 0.0f) return;
  y[i] = sums[threadIdx.x];
}

// All threads of a block leave together: nothing to do.
__global__ void together(const float* x, float* y, int n) {
  __shared__ float tile[32];
  if (blockIdx.x * blockDim.x >= n) return;
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[blockIdx.x * blockDim.x + threadIdx.x] = tile[31 - threadIdx.x];
}

// How often they wait hangs on the thread: left as it is.
__global__ void uneven(const float* x, float* y, int n) {
  __shared__ float tile[32];
  if (threadIdx.x >= n) return;  // warning: CU4206
  for (int k = 0; k < x[threadIdx.x]; ++k) {
    __syncthreads();
    tile[threadIdx.x] = k;
  }
  y[threadIdx.x] = tile[threadIdx.x];
}

// Returns in helpers: of all threads or none; of some, before a barrier of the helper's or of one that it calls.
__device__ void halved(float *s, int stride) {
  for (int o = stride; o > 0; o >>= 1) {
    if (threadIdx.x < o) s[threadIdx.x] += s[threadIdx.x + o];
    __syncthreads();
  }
}
__device__ float summed(float *s, float v, int n) {
  if (n <= 1) return v;
  s[threadIdx.x] = v;
  __syncthreads();
  halved(s, blockDim.x / 2);
  if (threadIdx.x == 0) return s[0];
  return 0.0f;
}
__device__ float late(float *s, float v, int i, int n) {
  if (i >= n) return 0.0f;  // warning: CU4206
  return summed(s, v, 2);
}
__global__ void in_helpers(const float *x, float *y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = summed(s, i < n ? x[i] : 0.0f, n);
  __syncthreads();
  v += late(s, 1.0f, i, n);
  if (threadIdx.x == 0) y[blockIdx.x] = v;
}
