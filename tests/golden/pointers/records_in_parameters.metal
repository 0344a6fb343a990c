#include <metal_stdlib>
using namespace metal;

// flags: --instantiate of_any_rows<float>
// Records inside of records that are parameters by value; two of them are called alike.
struct Scaling { struct Options { float factor; int power; }; Options options; float offset; };

template <typename T> struct Rows { struct Options { T factor; bool negate; }; Options options; device T* y; const device T* x; };

[[kernel]] void scaled(
    const device float* x [[buffer(0)]],
    const device uchar* by [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device float* y [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  Scaling by_value = *(const device Scaling*)by;
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) y[i] = x[i] * by_value.options.factor + by_value.offset;
}

[[kernel]] void by_options(
    const device float* x [[buffer(0)]],
    const device uchar* by [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device float* y [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  Scaling::Options by_value = *(const device Scaling::Options*)by;
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) y[i] = by_value.power == 2 ? x[i] * x[i] : x[i] * by_value.factor;
}

[[kernel]] void of_rows(
    const device uchar* rows_options [[buffer(0)]],
    const device float* rows_x [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device float* rows_y [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  Rows<float> rows;
  typename Rows<float>::Options rows_options_value = *(const device typename Rows<float>::Options*)rows_options;
  rows.options = rows_options_value;
  rows.y = rows_y;
  rows.x = rows_x;
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) rows.y[i] = rows.options.negate ? -rows.x[i] : rows.x[i] * rows.options.factor;
}

template <typename T>
[[kernel]] void of_any_rows(
    const device uchar* rows_options [[buffer(0)]],
    const device T* rows_x [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device T* rows_y [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  Rows<T> rows;
  typename Rows<T>::Options rows_options_value = *(const device typename Rows<T>::Options*)rows_options;
  rows.options = rows_options_value;
  rows.y = rows_y;
  rows.x = rows_x;
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) rows.y[i] = rows.x[i] * rows.options.factor;
}
