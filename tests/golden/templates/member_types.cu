// Parameters whose element type is a member of the class that the kernel is launched for.
template <typename T, int Rows> struct Config {
  using Element = float;
  using Own = T;
  static constexpr int kRows = Rows;
};
struct Plain { typedef int Index; };

template <typename C, typename P> __global__ void of_members(const typename C::Element *x, typename C::Element *y,
                                                             const typename P::Index *at, int n) {
  __shared__ typename C::Element tile[C::kRows];
  int t = threadIdx.x, i = blockIdx.x * C::kRows + t;
  tile[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  if (i < n) y[i] = tile[C::kRows - 1 - t] * at[i];
}
void host(const float *x, float *y, const int *at, int n) {
  of_members<Config<int, 32>, Plain><<<(n + 31) / 32, 32>>>(x, y, at, n);
}

template <typename C> __global__ void hangs(const typename C::Own *x, float *y) {  // error: CU2103
  y[threadIdx.x] = x[threadIdx.x] * C::kRows;
}
void host_hangs(const float *x, float *y) { hangs<Config<float, 32>><<<1, 32>>>(x, y); }
