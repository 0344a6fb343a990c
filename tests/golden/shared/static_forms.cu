// Static shared memory: 1-D, 2-D with padding, a scalar, struct elements, a size from sizeof.
#define TILE 32
struct Pair {
  float value;
  int index;
};

__global__ void transpose(const float* in, float* out, int w, int h) {
  __shared__ float tile[TILE][TILE + 1];  // padded against bank conflicts
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  if (x < h && y < w) out[y * h + x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void argmax(const float* x, int* best, int n) {
  __shared__ Pair pairs[64];
  __shared__ int used;
  if (threadIdx.x == 0) used = min(n, 64);
  __syncthreads();
  if (threadIdx.x < used) {
    pairs[threadIdx.x].value = x[threadIdx.x];
    pairs[threadIdx.x].index = threadIdx.x;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    Pair p = pairs[0];
    for (int i = 1; i < used; ++i)
      if (pairs[i].value > p.value) p = pairs[i];
    best[0] = p.index;
  }
}

__global__ void centroids(const float3* points, float* out) {
  __shared__ float3 cache[12 * 32 / sizeof(float3)];
  cache[threadIdx.x] = points[threadIdx.x];
  __syncthreads();
  float3 next = cache[(threadIdx.x + 1) % 32];
  out[threadIdx.x] = next.x + next.y + next.z;
}
