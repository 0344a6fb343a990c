#include <metal_stdlib>
using namespace metal;

// support library: cu::inout_ptr, cu::inout

// One class template for elements that are read and for elements that are read and written.
template <typename T, int N = 2> struct Rows {
  cu::inout_ptr<T> data;
  int stride;
  cu::inout_ptr<T> row(int r) const { return data + r * stride; }
  T at(int r, int c) const { return row(r)[c * N].get(); }
};

template <typename T_, int N> struct Rows<const T_, N> {
  using T = const T_;
  const device T *data;
  int stride;
  const device T* row(int r) const { return data + r * stride; }
  T at(int r, int c) const { return row(r)[c * N]; }
};

template <typename T>
[[kernel]] void changed(
    const device T* x [[buffer(0)]],
    const device T* y_in [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device typename cu::inout_ptr<T>::bits* y_delta [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<T> y = cu::inout<T>(y_in, y_delta);
  Rows<const T> in{x, 2};
  Rows<T> out{y, 2};
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (2 * i + 1 >= n) return;
  cu::inout_ptr<T> row = out.row(i);
  row[0] = T(row.base[0] + (in.at(i, 0) + in.row(i)[1]));
  row[1] = row[0].get() * T(2);
}
