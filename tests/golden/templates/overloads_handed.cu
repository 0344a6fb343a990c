// Overloads of which the kernel's type chooses one: each is handed all that one of them needs, in the same order.
__device__ float mixed(float v) {
  __shared__ float least;
  if (threadIdx.x == 0) least = v;
  __syncthreads();
  return v - least + blockIdx.x;
}
__device__ int mixed(int v) { return v + blockIdx.x + threadIdx.x; }
__device__ unsigned mixed(unsigned v) { return v; }

template <typename T>
__global__ void mix(const T* x, T* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = mixed(x[i]);
}
