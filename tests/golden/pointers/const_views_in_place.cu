// One class template for elements that are read and for elements that are read and written.
template <typename T, int N = 2> struct Rows {
  T *data;
  int stride;
  __device__ T *row(int r) const { return data + r * stride; }
  __device__ T at(int r, int c) const { return row(r)[c * N]; }
};

template <typename T> __global__ void changed(const T *x, T *y, int n) {
  Rows<const T> in{x, 2};
  Rows<T> out{y, 2};
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i + 1 >= n) return;
  T *row = out.row(i);
  row[0] += in.at(i, 0) + in.row(i)[1];
  row[1] = row[0] * T(2);
}
void host_changed(const float *x, float *y, int n) { changed<float><<<(n / 2 + 127) / 128, 128>>>(x, y, n); }
