// A helper whose shared array is sized by its own template parameter: the kernel declares it where the call says how
// large, directly or through another helper.
template <int N>
__device__ int sum_of(const int* x) {
  __shared__ int s[N];
  if (threadIdx.x < N) s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  int total = 0;
  for (int i = 0; i < N; ++i) total += s[i];
  __syncthreads();
  return total;
}

template <typename T, int ROWS = 2>
__device__ T row_sum(T v) {
  __shared__ T rows[ROWS][8];
  if (threadIdx.x < ROWS * 8) rows[threadIdx.x / 8][threadIdx.x % 8] = v;
  __syncthreads();
  T total = 0;
  for (int i = 0; i < 8; ++i) total += rows[threadIdx.x / 8 % ROWS][i];
  __syncthreads();
  return total;
}

template <int HALF>
__device__ int both_sums(const int* x) {
  return sum_of<2 * HALF>(x) + sum_of<HALF>(x);
}

__global__ void total(const int* x, int* y) {
  int sum = sum_of<8>(x) + both_sums<4>(x);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

__global__ void rows(const float* x, float* y) {
  y[threadIdx.x] = row_sum(x[threadIdx.x]) + row_sum<int, 1>(threadIdx.x);
}

// As many rows as template arguments.
enum class Fold { Sum, Most };
template <typename T, int THREADS, Fold... FOLDS>
__device__ void fold_all(T (&values)[sizeof...(FOLDS)]) {
  constexpr int count = sizeof...(FOLDS);
  constexpr Fold folds[] = {FOLDS...};
  __shared__ T rows[count * THREADS];
  for (int k = 0; k < count; ++k) rows[k * THREADS + threadIdx.x] = values[k];
  __syncthreads();
  for (int k = 0; k < count; ++k) {
    for (int i = 0; i < THREADS; ++i) {
      T other = rows[k * THREADS + i];
      if (i != threadIdx.x) values[k] = folds[k] == Fold::Sum ? values[k] + other : max(values[k], other);
    }
  }
  __syncthreads();
}
template <Fold... FOLDS>
__device__ void fold_eight(float (&values)[sizeof...(FOLDS)], float (&more)[1 + sizeof...(FOLDS)]) {
  fold_all<float, 8, FOLDS...>(values);
  fold_all<float, 8, Fold::Most, FOLDS...>(more);
}
__global__ void folded(const float* x, float* y) {
  float two[2] = {x[threadIdx.x], x[threadIdx.x]}, one[1] = {x[threadIdx.x]};
  float three[3] = {one[0], one[0], one[0]};
  fold_eight<Fold::Sum, Fold::Most>(two, three);
  fold_all<float, 8, Fold::Sum>(one);
  y[threadIdx.x] = two[0] + two[1] + one[0] + three[0] + three[2];
}
void host_folded(const float* x, float* y) { folded<<<1, 8>>>(x, y); }

template <int N>
__device__ int first_of(const int (&x)[N]) {
  __shared__ int s[N];
  s[threadIdx.x % N] = x[threadIdx.x % N];
  __syncthreads();
  return s[0];
}

__global__ void deduced(int* y) {
  int values[4] = {1, 2, 3, 4};
  y[0] = first_of(values);  // error: CU3703
}
