// Type traits, dispatch by tags, and functions of constant expressions.
#include <algorithm>
#include <type_traits>

template <typename T> constexpr T smaller(T a, T b) { return std::min(a, b); }
constexpr size_t largest(std::initializer_list<size_t> list) { return std::max(list); }

template <typename T>
struct Traits {
  using acc_t = std::conditional_t<std::is_same_v<T, half>, float, T>;
  static constexpr int kVec = 16 / sizeof(T);
  static constexpr int kMost = largest({sizeof(T), 2 * sizeof(int), 1});
  static constexpr int kLeast = smaller(8, kVec);
};

template <typename T, typename std::enable_if<std::is_integral<T>::value, int>::type = 0>
__device__ T half_of(T x) { return x >> 1; }
template <typename T, std::enable_if_t<!std::is_integral<T>::value, int> = 0>
__device__ T half_of(T x) { return x * 0.5f; }

template <int N> __device__ int tag(std::integral_constant<int, N>) { return N; }
__device__ int flag(std::true_type) { return 1; }
__device__ int flag(std::false_type) { return 0; }

template <typename T>
__global__ void traits(const T* x, T* y) {
  using A = typename Traits<T>::acc_t;
  A v = static_cast<A>(x[0]);
  y[0] = half_of(v);
  y[1] = tag(std::integral_constant<int, 7>{}) + flag(std::is_same<T, float>{});
  if constexpr (std::is_floating_point<T>::value) y[2] = Traits<T>::kVec + Traits<T>::kMost + Traits<T>::kLeast;
  else y[2] = 0;
  y[3] = std::is_same<A, float>::value ? 1 : 2;
  std::decay_t<T> w = 2;
  typename std::remove_reference<T>::type z = 3;
  std::remove_cv_t<const T> q = 4;
  y[4] = w + z + q;
  static_assert(std::is_same_v<std::remove_const_t<const int>, int>, "");
  constexpr int n = smaller(3, 4);
  T list[n];
  list[0] = 1;
  y[5] = list[0];
  y[6] = std::is_signed_v<T> + std::is_unsigned<int>::value + std::is_arithmetic_v<T> + std::is_pointer<T*>::value;
}
void host_traits(const float* x, float* y) { traits<float><<<1, 1>>>(x, y); }
