// A buffer that is only added to is accumulated; where a result is used it is read and written.
__global__ void histogram(const int* x, int* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[x[i]], 1);
}

__global__ void scatter_add(const float* x, const int* index, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out + index[i], x[i]);
}

__global__ void compact(const float* x, float* out, unsigned int* used, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0.0f) {
    unsigned int slot = atomicAdd(used, 1u);
    out[slot] = x[i];
  }
}
