// Local pointers to arrays, into threadgroup memory, a static tile and the thread's own.
#include <cuda_fp16.h>
#define GID (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void rows_of_a_tile(float *out, const float *in, int n) {
  __shared__ float tile[4][16];
  float (*rows)[16] = tile;
  int t = threadIdx.x, i = GID;
  rows[t / 16][t % 16] = i < n ? in[i] : 0.0f;
  __syncthreads();
  float *other = rows[(t / 16) ^ 1];
  if (i < n) out[i] = other[t % 16] + *(rows[0] + t % 16) + (*rows)[3];
}

__global__ void rows_of_dynamic_memory(float *out, const float *in, int n) {
  extern __shared__ unsigned char raw[];
  half (*keys)[8] = reinterpret_cast<half (*)[8]>(raw);
  int t = threadIdx.x, i = GID;
  keys[t / 8][t % 8] = __float2half(i < n ? in[i] : 0.0f);
  __syncthreads();
  if (i < n) out[i] = __half2float(keys[t / 8 ^ 1][t % 8]);
}

__global__ void rows_of_its_own(int *out, const int *in, int n) {
  int i = GID, own[2][3] = {{1, 2, 3}, {4, 5, 6}};
  int (*row)[3] = own;
  ++row;
  if (i < n) out[i] = (*row)[i % 3] * in[i] + row[-1][0];
}

// Of records: the grammar would take `Cell (*rows)[8]` for a call.
struct Cell { float a; int b; };
template <int N> __device__ float sum(const Cell (*rows)[N], int r) {
  float s = 0.0f;
  for (int j = 0; j < N; ++j) s += rows[r][j].a * rows[r][j].b;
  return s;
}
__global__ void of_records(const float *x, float *y, int n) {
  __shared__ Cell tile[4][8];
  int t = threadIdx.x;
  if (t < 32) tile[t / 8][t % 8] = Cell{x[t % n], t};
  __syncthreads();
  Cell (*rows)[8] = tile;
  Cell (*later)[8];
  later = rows + 1;
  int i = blockIdx.x * blockDim.x + t;
  if (i < n) y[i] = sum(tile, i % 4) + rows[1][i % 8].a + later[1][0].b;
}
void host_of_records(const float *x, float *y, int n) { of_records<<<(n + 127) / 128, 128>>>(x, y, n); }
