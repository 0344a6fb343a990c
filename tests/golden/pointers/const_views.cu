// One class template for elements that are read and for elements that are written.
template <typename T> class Span {
  T *data_;
  int size_;

 public:
  __device__ Span(T *data, int size) : data_(data), size_(size) {}
  __device__ T &operator[](int i) const { return data_[i]; }
  __device__ int size() const { return size_; }
  __device__ Span<T> from(int start) const { return Span<T>(data_ + start, size_ - start); }
};
template <typename T, int N = 2> struct Rows {
  T *data;
  int stride;
  __device__ T *row(int r) const { return data + r * stride; }
  __device__ T at(int r, int c) const { return row(r)[c * N]; }
};
__device__ float total(Span<const float> s) {
  float sum = 0.0f;
  for (int i = 0; i < s.size(); ++i) sum += s[i];
  return sum;
}
template <typename T> __device__ void scale(Span<T> s, float by) { s[threadIdx.x] = s[threadIdx.x] * by; }

__global__ void written(const float *x, float *y, int n) {
  Span<const float> in(x, n);
  Span<float> out(y, n);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < in.size()) out[i] = in[i] * 2.0f + total(in.from(n - 2));
}
void host_written(const float *x, float *y, int n) { written<<<(n + 127) / 128, 128>>>(x, y, n); }

__global__ void by_value(Rows<const float> in, Rows<float> out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out.row(i)[0] = in.at(i, 0);
}
