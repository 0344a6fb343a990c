#include <metal_stdlib>
using namespace metal;

// support library: cu::inout_ref, cu::inout_ptr, cu::stored, cu::inout

// Views of tensors by value: private members, a shape that copies itself, elements that are const in one view.
template <typename T, int MAX = 3>
struct Extents {
  Extents() {}
  Extents(const thread Extents<T, MAX>& other) : rank(other.rank) {
    for (int i = 0; i < rank; ++i) sizes[i] = other.sizes[i];
  }
  thread T& operator[](int i) thread { return sizes[i]; }
  const thread T& operator[](int i) const thread { return sizes[i]; }

 protected:
  T sizes[MAX];
  int rank = 0;
};

struct Shape : public Extents<int> {
  Shape() : Extents<int>() {}
  Shape(const thread Shape& other) : Extents<int>(other) {}
  thread Shape& operator=(const thread Shape& other) thread = default;
};

template <typename T>
struct View {
 public:
  View() {}
  cu::inout_ref<T> operator()(int i, int j) thread { return data_[i * shape_[1] + j]; }
  cu::inout_ptr<T> data() { return data_; }
  int dim(int i) const thread { return shape_[i]; }

 public:
  cu::inout_ptr<T> data_ = nullptr;
  Shape shape_;
};

template <typename T_> class View<const T_> {
  using T = const T_;
 public:
  View(device T* data, Shape shape) : data_(data), shape_(shape) {}
  View() {}
  const device T& operator()(int i, int j) thread { return data_[i * shape_[1] + j]; }
  const device T* data() { return data_; }
  int dim(int i) const thread { return shape_[i]; }

 public:
  const device T* data_ = nullptr;
  Shape shape_;
};

inline float total(const device float* row, int width) {
  float sum = 0.0f;
  for (int j = 0; j < width; ++j) sum += row[j];
  return sum;
}

[[kernel]] void centre(
    const device float* x_data_ [[buffer(0)]],
    const device uchar* x_shape_ [[buffer(1)]],
    const device float* y_data__in [[buffer(2)]],
    const device uchar* y_shape_ [[buffer(3)]],
    device uint* y_data__delta [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  View<const float> x;
  x.data_ = x_data_;
  Shape x_shape__value = cu::stored<Shape>(x_shape_);
  x.shape_ = x_shape__value;
  View<float> y;
  cu::inout_ptr<float> y_data_ = cu::inout<float>(y_data__in, y_data__delta);
  y.data_ = y_data_;
  Shape y_shape__value = cu::stored<Shape>(y_shape_);
  y.shape_ = y_shape__value;
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= x.dim(0)) return;
  float mean = total(x.data() + i * x.dim(1), x.dim(1)) / x.dim(1);
  for (int j = 0; j < x.dim(1); ++j) y(i, j) = x(i, j) - mean + 0.5f * y(i, j);
}
