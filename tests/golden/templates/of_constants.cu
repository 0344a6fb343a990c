// constexpr functions that call themselves, for constants; functions as template arguments.
constexpr __host__ __device__ int log2i(int v) { return v <= 1 ? 0 : 1 + log2i(v / 2); }
constexpr __device__ int bits(int v) { return v == 0 ? 0 : 1 + bits(v & (v - 1)); }
template <int N> struct Table {
  float v[N];
  constexpr __device__ Table() : v() { for (int i = 0; i < N; ++i) v[i] = i * 0.5f; }
};
template <int N> __device__ float scaled(float v) { return v * N; }

__global__ void of_constants(const float *x, float *y, int n) {
  constexpr int levels = log2i(64);
  constexpr Table<4> table;
  float parts[log2i(16) + 1];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  parts[log2i(n) % 4] = x[i];  // error: CU3709
  y[i] = scaled<log2i(8)>(parts[i % 4]) + table.v[i % 4] + levels;
}


__global__ void constants(const float *x, float *y, int n) {
  constexpr int levels = log2i(64) + bits(7), some = log2i(16);
  constexpr Table<4> table;
  float parts[log2i(16)];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = 0; j < some; ++j) parts[j] = x[i] + j;
  y[i] = scaled<log2i(8)>(parts[i % 4]) + table.v[i % 4] + levels;
}
void host_constants(const float *x, float *y, int n) { constants<<<(n + 127) / 128, 128>>>(x, y, n); }

__device__ float plus(float a, float b) { return a + b; }
template <float (*Op)(float, float)> __global__ void binary(const float *x, const float *z, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = Op(x[i], z[i]);
}
void host_binary(const float *x, const float *z, float *y, int n) { binary<plus><<<(n + 127) / 128, 128>>>(x, z, y, n); }
