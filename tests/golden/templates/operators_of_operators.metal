#include <metal_stdlib>
using namespace metal;

// Operators made of others: none calls itself.
template <typename T, int N>
struct Vector {
  T values[N];
  int size() const { return N; }
  T operator[](int i) const { return values[i]; }
  T total() const {
    T sum = 0;
    for (int i = 0; i < N; ++i) sum += values[i];
    return sum;
  }
};

template <typename T, int N>
inline bool operator==(const thread Vector<T, N>& a, const thread Vector<T, N>& b) {
  if (a.size() != b.size()) return false;
  for (int i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

template <typename T, int N>
inline bool operator!=(const thread Vector<T, N>& a, const thread Vector<T, N>& b) {
  return !(a == b);
}

template <typename S, typename T, int N>
inline thread S& operator<<(thread S& sum, const thread Vector<T, N>& v) {
  sum << v.total();
  return sum;
}

struct Sum {
  float value;
  void operator<<(float x) { value += x; }
};

[[kernel]] void compared(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  Vector<float, 2> a, b;
  for (int i = 0; i < 2; ++i) {
    a.values[i] = x[2 * thread_position_in_threadgroup.x + i];
    b.values[i] = x[i];
  }
  Sum sum = {0.0f};
  sum << a;
  y[thread_position_in_threadgroup.x] = a != b ? sum.value : a.total() * 2.0f;
}
