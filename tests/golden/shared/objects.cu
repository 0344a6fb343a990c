// Objects that stand for the dynamic shared memory, as in CUDA's samples: by conversion, and by a method.
template <class T> struct SharedMemory {
  __device__ inline operator T *() { extern __shared__ int memory_[]; return (T *)memory_; }
  __device__ inline operator const T *() const { extern __shared__ int memory_[]; return (T *)memory_; }
};
template <> struct SharedMemory<double> {
  __device__ inline operator double *() { extern __shared__ double memory_d[]; return (double *)memory_d; }
};
template <typename T> struct Dynamic {
  __device__ T *get() { extern __shared__ unsigned char bytes[]; return reinterpret_cast<T *>(bytes); }
};
template <typename T> __device__ T last() { T *s = SharedMemory<T>(); return s[blockDim.x - 1]; }

template <typename T> __global__ void sums(const T *x, T *y, int n) {
  T *s = SharedMemory<T>();
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : T(0);
  __syncthreads();
  T end = last<T>();
  __syncthreads();
  for (int o = blockDim.x / 2; o > 0; o >>= 1) {
    if (t < o) s[t] += s[t + o];
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = s[0] + end;
}
void host_sums(const float *x, float *y, int n) { sums<float><<<(n + 127) / 128, 128, 128 * sizeof(float)>>>(x, y, n); }

__global__ void turned(const float *x, float *y, int n) {
  Dynamic<float> dynamic;
  float *s = dynamic.get(), *same = SharedMemory<float>{};
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  if (i < n) y[i] = same[blockDim.x - 1 - t];
}
void host_turned(const float *x, float *y, int n) { turned<<<(n + 127) / 128, 128, 128 * sizeof(float)>>>(x, y, n); }
