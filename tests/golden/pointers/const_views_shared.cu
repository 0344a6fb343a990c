// One class template for elements that are read and for shared memory; not for a buffer as well.
template <typename T> class Span {
  T *data_;
  int size_;

 public:
  __device__ Span(T *data, int size) : data_(data), size_(size) {}  // error: CU2101
  __device__ T &operator[](int i) const { return data_[i]; }
  __device__ int size() const { return size_; }
  __device__ Span<T> from(int start) const { return Span<T>(data_ + start, size_ - start); }
};
template <typename T> __device__ void scale(Span<T> s, float by) { s[threadIdx.x] = s[threadIdx.x] * by; }

__global__ void in_shared(const float *x, float *y, int n) {
  __shared__ float tile[128];
  Span<float> shared(tile, 128);
  Span<const float> in(x, n);
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  shared[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  scale(shared, 3.0f);
  __syncthreads();
  if (i < n) y[i] = shared[127 - t];
}
void host_in_shared(const float *x, float *y, int n) { in_shared<<<(n + 127) / 128, 128>>>(x, y, n); }

__global__ void three(const float *x, float *y, int n) {
  __shared__ float tile[128];
  Span<float> shared(tile, 128);
  Span<const float> in(x, n);
  Span<float> out(y, n);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + shared[0];
}
