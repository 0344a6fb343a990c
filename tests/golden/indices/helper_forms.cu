// Indices reach a method, a function called through a method, and a template helper.
struct Cursor {
  int stride;
  __device__ int lane() const { return threadIdx.x % warpSize; }
  __device__ int row() const { return (blockIdx.y * blockDim.y + threadIdx.y) * stride + lane(); }
};

template <int UNROLL>
__device__ int first_of_thread() {
  return (blockIdx.x * blockDim.x + threadIdx.x) * UNROLL;
}

__global__ void rows(const int* x, int* y, int stride) {
  Cursor cursor{stride};
  y[cursor.row()] = x[cursor.row()];
}

__global__ void unrolled(const float* x, float* y, int n) {
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    int i = first_of_thread<4>() + k;
    if (i < n) y[i] = 2.0f * x[i];
  }
}
