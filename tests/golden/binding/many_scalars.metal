#include <metal_stdlib>
using namespace metal;

// support library: cu::keep

struct Blend {
  const device float* x;
  const device float* y;
  device float* out;
  int rows, columns;
  long x_row, x_column, y_row, y_column, out_row, out_column;
  float x_gain, x_bias, x_low, x_high;
  float y_gain, y_bias, y_low, y_high;
  float mix, floor, ceiling;
  bool clip_x, clip_y, clip_out, negate;
  int first_row, first_column;
  uchar shift;
  int every_row, every_column, skip;
  uint mask_x, mask_y;
  int last;
};

inline float shaped(float value, float gain, float bias, bool clip, float low, float high) {
  float scaled = value * gain + bias;
  return clip ? fmin(fmax(scaled, low), high) : scaled;
}

inline int clamped(const thread int& value, const constant int& low, const constant int& high) {
  return value < low ? low : value > high ? high : value;
}

[[kernel]] void blend(
    const device float* b_x [[buffer(0)]],
    const device float* b_y [[buffer(1)]],
    const constant int* int_values [[buffer(2)]],
    const constant long* long_values [[buffer(3)]],
    const constant float* float_values [[buffer(4)]],
    const constant float* float_values_2 [[buffer(5)]],
    const constant bool* bool_values [[buffer(6)]],
    const constant uchar& b_shift [[buffer(7)]],
    const constant uint* uint_values [[buffer(8)]],
    const constant int& b_last [[buffer(9)]],
    device float* b_out [[buffer(10)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  Blend b;
  b.x = b_x;
  b.y = b_y;
  b.out = b_out;
  b.rows = int_values[0];
  b.columns = int_values[1];
  b.x_row = long_values[0];
  b.x_column = long_values[1];
  b.y_row = long_values[2];
  b.y_column = long_values[3];
  b.out_row = long_values[4];
  b.out_column = long_values[5];
  b.x_gain = float_values[0];
  b.x_bias = float_values[1];
  b.x_low = float_values[2];
  b.x_high = float_values[3];
  b.y_gain = float_values[4];
  b.y_bias = float_values[5];
  b.y_low = float_values[6];
  b.y_high = float_values_2[0];
  b.mix = float_values_2[1];
  b.floor = float_values_2[2];
  b.ceiling = float_values_2[3];
  b.clip_x = bool_values[0];
  b.clip_y = bool_values[1];
  b.clip_out = bool_values[2];
  b.negate = bool_values[3];
  b.first_row = int_values[2];
  b.first_column = int_values[3];
  b.shift = b_shift;
  b.every_row = int_values[4];
  b.every_column = int_values[5];
  b.skip = int_values[6];
  b.mask_x = uint_values[0];
  b.mask_y = uint_values[1];
  b.last = b_last;
  int row = b.first_row + (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x) * b.every_row;
  int column = b.first_column + threadgroup_position_in_grid.y * b.every_column;
  if (row >= b.rows || column >= b.columns || row + column == b.skip) return;
  float x = shaped(b.x[row * b.x_row + column * b.x_column], b.x_gain, b.x_bias, b.clip_x, b.x_low, b.x_high);
  float y = shaped(b.y[row * b.y_row + column * b.y_column], b.y_gain, b.y_bias, b.clip_y, b.y_low, b.y_high);
  float sum = shaped(x * b.mix + y * (1.0f - b.mix), 1.0f, 0.0f, b.clip_out, b.floor, b.ceiling);
  uint bits = ((uint)row & b.mask_x) ^ ((uint)column & b.mask_y);
  if ((bits >> b.shift) & 1u) sum += 1.0f;
  b.out[row * b.out_row + column * b.out_column] = b.negate && row != b.last ? -sum : sum;
}

// By value, of a template's type too; one value is changed, one given on by reference.
template <typename T>
[[kernel]] void polynomial(
    const device T* x [[buffer(0)]],
    const device T* y_in [[buffer(1)]],
    const constant uint& cu_size_of_y [[buffer(2)]],
    const constant int* int_values [[buffer(3)]],
    const constant T* T_values [[buffer(4)]],
    const constant T* T_values_2 [[buffer(5)]],
    const constant int* int_values_2 [[buffer(6)]],
    const constant uchar& keep [[buffer(7)]],
    const constant uint* uint_values [[buffer(8)]],
    const constant bool& twice [[buffer(9)]],
    const constant long* long_values [[buffer(10)]],
    device T* y [[buffer(11)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_grid [[threads_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  const constant int32_t& n = int_values[0];
  const constant T& c0 = T_values[0];
  const constant T& c1 = T_values[1];
  const constant T& c2 = T_values[2];
  const constant T& c3 = T_values[3];
  const constant T& c4 = T_values[4];
  const constant T& c5 = T_values[5];
  const constant T& c6 = T_values[6];
  const constant T& c7 = T_values_2[0];
  const constant T& c8 = T_values_2[1];
  const constant T& c9 = T_values_2[2];
  const constant int32_t& s0 = int_values[1];
  const constant int32_t& s1 = int_values[2];
  const constant int32_t& s2 = int_values[3];
  const constant int32_t& s3 = int_values[4];
  const constant int32_t& s4 = int_values[5];
  const constant int32_t& s5 = int_values[6];
  const constant int32_t& s6 = int_values_2[0];
  const constant int32_t& s7 = int_values_2[1];
  const constant int32_t& s8 = int_values_2[2];
  const constant int32_t& s9 = int_values_2[3];
  const constant int32_t& low = int_values_2[4];
  const constant int32_t& high = int_values_2[5];
  const constant uint32_t& u1 = uint_values[1];
  const constant uint32_t& u2 = uint_values[2];
  const constant int64_t& offset = long_values[0];
  const constant int64_t& step = long_values[1];
  for (uint cu_i = thread_position_in_grid.x + threads_per_grid.x; cu_i < cu_size_of_y; cu_i += threads_per_grid.x) y[cu_i] = y_in[cu_i];
  T scale_value = T_values_2[3];
  uint u0_value = uint_values[0];
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= n) { cu::keep(y, y_in, thread_position_in_grid.x, cu_size_of_y); return; }
  T at = x[i];
  T sum = c0 + at * (c1 + at * (c2 + at * (c3 + at * (c4 + at * (c5 + at * (c6 + at * (c7 + at * (c8 + at * c9))))))));
  int shift = s0 + s1 * 2 + s2 * 3 - s3 + s4 - s5 + s6 * s7 - s8 + s9;
  u0_value += u1 ^ u2;
  scale_value = twice ? scale_value + scale_value : scale_value;
  y[i] = keep ? sum * scale_value + T(clamped(shift, low, high)) + T(u0_value) : at;
  y[i] += T(offset * step + i);
}
