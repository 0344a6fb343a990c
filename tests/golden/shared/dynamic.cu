// Dynamic shared memory: typed, and as aligned bytes that two arrays share.
__global__ void block_sum(const float* x, float* out, int n) {
  extern __shared__ float s[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

template <typename T>
__global__ void stage(const T* x, T* out, int n) {
  extern __shared__ __align__(16) unsigned char bytes[];
  T* values = reinterpret_cast<T*>(bytes);
  int* order = (int*)(bytes + n * sizeof(T));
  values[threadIdx.x] = x[threadIdx.x];
  order[threadIdx.x] = n - 1 - threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = values[order[threadIdx.x]];
}

void launch(const float* x, float* out, int n) {
  block_sum<<<(n + 127) / 128, 128, 128 * sizeof(float)>>>(x, out, n);
  stage<float><<<1, n, n * (sizeof(float) + sizeof(int))>>>(x, out, n);
}
