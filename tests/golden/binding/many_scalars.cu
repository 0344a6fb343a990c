// More values than Metal has buffers: those of one type go over together.

struct Blend {
  const float* __restrict__ x;
  const float* __restrict__ y;
  float* __restrict__ out;
  int rows, columns;
  long long x_row, x_column, y_row, y_column, out_row, out_column;
  float x_gain, x_bias, x_low, x_high;
  float y_gain, y_bias, y_low, y_high;
  float mix, floor, ceiling;
  bool clip_x, clip_y, clip_out, negate;
  int first_row, first_column;
  unsigned char shift;
  int every_row, every_column, skip;
  unsigned mask_x, mask_y;
  int last;
};

__device__ float shaped(float value, float gain, float bias, bool clip, float low, float high) {
  float scaled = value * gain + bias;
  return clip ? fminf(fmaxf(scaled, low), high) : scaled;
}

__global__ void blend(Blend b) {
  int row = b.first_row + (blockIdx.x * blockDim.x + threadIdx.x) * b.every_row;
  int column = b.first_column + blockIdx.y * b.every_column;
  if (row >= b.rows || column >= b.columns || row + column == b.skip) return;
  float x = shaped(b.x[row * b.x_row + column * b.x_column], b.x_gain, b.x_bias, b.clip_x, b.x_low, b.x_high);
  float y = shaped(b.y[row * b.y_row + column * b.y_column], b.y_gain, b.y_bias, b.clip_y, b.y_low, b.y_high);
  float sum = shaped(x * b.mix + y * (1.0f - b.mix), 1.0f, 0.0f, b.clip_out, b.floor, b.ceiling);
  unsigned bits = ((unsigned)row & b.mask_x) ^ ((unsigned)column & b.mask_y);
  if ((bits >> b.shift) & 1u) sum += 1.0f;
  b.out[row * b.out_row + column * b.out_column] = b.negate && row != b.last ? -sum : sum;
}

__device__ int clamped(const int& value, const int& low, const int& high) {
  return value < low ? low : value > high ? high : value;
}

// By value, of a template's type too; one value is changed, one given on by reference.
template <typename T>
__global__ void polynomial(const T* x, T* y, int n, T c0, T c1, T c2, T c3, T c4, T c5, T c6, T c7, T c8, T c9, T scale,
                           int s0, int s1, int s2, int s3, int s4, int s5, int s6, int s7, int s8, int s9, int low,
                           int high, unsigned char keep, unsigned u0, unsigned u1, unsigned u2, bool twice,
                           long long offset, long long step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T at = x[i];
  T sum = c0 + at * (c1 + at * (c2 + at * (c3 + at * (c4 + at * (c5 + at * (c6 + at * (c7 + at * (c8 + at * c9))))))));
  int shift = s0 + s1 * 2 + s2 * 3 - s3 + s4 - s5 + s6 * s7 - s8 + s9;
  u0 += u1 ^ u2;
  scale = twice ? scale + scale : scale;
  y[i] = keep ? sum * scale + T(clamped(shift, low, high)) + T(u0) : at;
  y[i] += T(offset * step + i);
}
