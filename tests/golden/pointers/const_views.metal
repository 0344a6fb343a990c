#include <metal_stdlib>
using namespace metal;

// One class template for elements that are read and for elements that are written.
template <typename T> class Span {
  device T *data_;
  int size_;

 public:
  Span(device T *data, int size) : data_(data), size_(size) {}
  device T& operator[](int i) const { return data_[i]; }
  int size() const { return size_; }
  Span<T> from(int start) const { return Span<T>(data_ + start, size_ - start); }
};

template <typename T_> class Span<const T_> {
  using T = const T_;
  const device T *data_;
  int size_;

 public:
  Span(const device T *data, int size) : data_(data), size_(size) {}
  const device T& operator[](int i) const { return data_[i]; }
  int size() const { return size_; }
  Span<T> from(int start) const { return Span<T>(data_ + start, size_ - start); }
};

inline float total(Span<const float> s) {
  float sum = 0.0f;
  for (int i = 0; i < s.size(); ++i) sum += s[i];
  return sum;
}

template <typename T, int N = 2> struct Rows {
  device T *data;
  int stride;
  device T* row(int r) const { return data + r * stride; }
  T at(int r, int c) const { return row(r)[c * N]; }
};

template <typename T_, int N> struct Rows<const T_, N> {
  using T = const T_;
  const device T *data;
  int stride;
  const device T* row(int r) const { return data + r * stride; }
  T at(int r, int c) const { return row(r)[c * N]; }
};

[[kernel]] void written(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  Span<const float> in(x, n);
  Span<float> out(y, n);
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < in.size()) out[i] = in[i] * 2.0f + total(in.from(n - 2));
}

[[kernel]] void by_value(
    const device float* in_data [[buffer(0)]],
    const constant int& in_stride [[buffer(1)]],
    const constant int& out_stride [[buffer(2)]],
    const constant int& n [[buffer(3)]],
    device float* out_data [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  Rows<const float> in;
  in.data = in_data;
  in.stride = in_stride;
  Rows<float> out;
  out.data = out_data;
  out.stride = out_stride;
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) out.row(i)[0] = in.at(i, 0);
}
