#include <metal_stdlib>
using namespace metal;

// One class template for elements that are read and for shared memory; not for a buffer as well.
template <typename T> class Span {
  threadgroup T *data_;
  int size_;

 public:
  Span(threadgroup T *data, int size) : data_(data), size_(size) {}  // error: CU2101
  threadgroup T& operator[](int i) const { return data_[i]; }
};

template <typename T_> class Span<const T_> {
  using T = const T_;
  const device T *data_;
  int size_;

 public:
  Span(const device T *data, int size) : data_(data), size_(size) {}  // error: CU2101
  const device T& operator[](int i) const { return data_[i]; }
};

template <typename T>
inline void scale(uint3 thread_position_in_threadgroup, Span<T> s, float by) { s[thread_position_in_threadgroup.x] = s[thread_position_in_threadgroup.x] * by; }

[[kernel]] void in_shared(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup float tile[128];
  Span<float> shared(tile, 128);
  Span<const float> in(x, n);
  int t = thread_position_in_threadgroup.x, i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + t;
  shared[t] = i < n ? in[i] : 0.0f;
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  scale(thread_position_in_threadgroup, shared, 3.0f);
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  if (i < n) y[i] = shared[127 - t];
}
