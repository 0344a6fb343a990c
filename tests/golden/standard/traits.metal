#include <metal_stdlib>
using namespace metal;

// support library: cu::min_of, cu::initializer_list, cu::max_of

template <typename T>
inline constexpr T smaller(T a, T b) { return cu::min_of(a, b); }

inline constexpr ulong largest(cu::initializer_list<ulong> list) { return cu::max_of(list); }

template <typename T>
struct Traits {
  using acc_t = conditional_t<is_same_v<T, half>, float, T>;
  static constexpr constant int kVec = 16 / sizeof(T);
  static constexpr constant int kMost = largest({sizeof(T), 2 * sizeof(int), 1});
  static constexpr constant int kLeast = smaller(8, kVec);
};

template <typename T, typename enable_if<is_integral<T>::value, int>::type = 0>
inline T half_of(T x) { return x >> 1; }

template <typename T, enable_if_t<!is_integral<T>::value, int> = 0>
inline T half_of(T x) { return x * 0.5f; }

template <int N>
inline int tag(integral_constant<int, N>) { return N; }

inline int flag(true_type) { return 1; }

inline int flag(false_type) { return 0; }

template <typename T>
[[kernel]] void traits(
    const device T* x [[buffer(0)]],
    device T* y [[buffer(1)]]) {
  using A = typename Traits<T>::acc_t;
  A v = static_cast<A>(x[0]);
  y[0] = half_of(v);
  y[1] = tag(integral_constant<int, 7>{}) + flag(is_same<T, float>{});
  if constexpr (is_floating_point<T>::value) y[2] = Traits<T>::kVec + Traits<T>::kMost + Traits<T>::kLeast;
  else y[2] = 0;
  y[3] = is_same<A, float>::value ? 1 : 2;
  decay_t<T> w = 2;
  typename remove_reference<T>::type z = 3;
  remove_cv_t<const T> q = 4;
  y[4] = w + z + q;
  static_assert(is_same_v<remove_const_t<const int>, int>, "");
  constexpr int n = smaller(3, 4);
  T list[n];
  list[0] = 1;
  y[5] = list[0];
  y[6] = is_signed_v<T> + is_unsigned<int>::value + is_arithmetic_v<T> + is_pointer<device T*>::value;
}
