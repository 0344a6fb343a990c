// flags: --instantiate of_any_rows<float>
// Records inside of records that are parameters by value; two of them are called alike.
struct Scaling { struct Options { float factor; int power; }; Options options; float offset; };
template <typename T> struct Rows { struct Options { T factor; bool negate; }; Options options; T* y; const T* x; };

__global__ void scaled(float* y, const float* x, Scaling by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * by.options.factor + by.offset;
}

__global__ void by_options(float* y, const float* x, Scaling::Options by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = by.power == 2 ? x[i] * x[i] : x[i] * by.factor;
}

__global__ void of_rows(Rows<float> rows, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) rows.y[i] = rows.options.negate ? -rows.x[i] : rows.x[i] * rows.options.factor;
}

template <typename T>
__global__ void of_any_rows(Rows<T> rows, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) rows.y[i] = rows.x[i] * rows.options.factor;
}
