// Operators made of others: none calls itself.
template <typename T, int N>
struct Vector {
  T values[N];
  __device__ int size() const { return N; }
  __device__ T operator[](int i) const { return values[i]; }
  __device__ T total() const {
    T sum = 0;
    for (int i = 0; i < N; ++i) sum += values[i];
    return sum;
  }
};

template <typename T, int N>
__device__ bool operator==(const Vector<T, N>& a, const Vector<T, N>& b) {
  if (a.size() != b.size()) return false;
  for (int i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

template <typename T, int N>
__device__ bool operator!=(const Vector<T, N>& a, const Vector<T, N>& b) {
  return !(a == b);
}

template <typename S, typename T, int N>
__device__ S& operator<<(S& sum, const Vector<T, N>& v) {
  sum << v.total();
  return sum;
}

struct Sum {
  float value;
  __device__ void operator<<(float x) { value += x; }
};

__global__ void compared(const float* x, float* y) {
  Vector<float, 2> a, b;
  for (int i = 0; i < 2; ++i) {
    a.values[i] = x[2 * threadIdx.x + i];
    b.values[i] = x[i];
  }
  Sum sum = {0.0f};
  sum << a;
  y[threadIdx.x] = a != b ? sum.value : a.total() * 2.0f;
}
