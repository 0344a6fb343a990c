// A method of an object whose class hangs on template arguments: its name says which one it is.
template <bool SHIFTED>
struct Scale;

template <>
struct Scale<false> {
  float factor;
  __device__ Scale(float low, float high) : factor(high - low) {}
  __device__ void store(float* scales, int row) const { scales[row] += factor; }
};

template <>
struct Scale<true> {
  float factor, offset;
  __device__ Scale(float low, float high) : factor(high - low), offset(low) {}
  __device__ void store(float* scales, int row) const {
    scales[2 * row] += factor;
    scales[2 * row + 1] += offset;
  }
};

struct Range {
  float low, high;
  template <bool SHIFTED>
  __device__ Scale<SHIFTED> scale() const {
    return Scale<SHIFTED>(low, high);
  }
};

template <bool SHIFTED>
__global__ void scales_of_rows(const float* x, float* scales, int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  Range range = {x[row * width], x[row * width]};
  for (int i = 1; i < width; ++i) {
    range.low = fminf(range.low, x[row * width + i]);
    range.high = fmaxf(range.high, x[row * width + i]);
  }
  auto scale = range.template scale<SHIFTED>();
  scale.store(scales, row);
}
