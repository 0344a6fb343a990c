// complex_t<T> as MLX's custom kernels see it, declared afresh from its documented behaviour.
#pragma once
#include <metal_stdlib>

template <class T>
struct complex_t;
template <class T>
struct __mlx_is_complex : metal::false_type {};
template <class T>
struct __mlx_is_complex<complex_t<T>> : metal::true_type {};
template <class T>
static constexpr constant bool is_complex_v = __mlx_is_complex<T>::value;

#define __MLX_SCALAR template <class U, metal::enable_if_t<metal::is_arithmetic<U>::value, bool> = true>

template <class T>
struct complex_t {
  using value_type = T;
  T real;
  T imag;

  constexpr complex_t(const complex_t&) = default;
  constexpr complex_t(const constant complex_t& z) : real(z.real), imag(z.imag) {}
  constexpr complex_t(const constant complex_t& z) constant : real(z.real), imag(z.imag) {}
  __generic complex_t& operator=(complex_t);
  __generic complex_t& operator+=(complex_t);

#define __MLX_COMPLEX_IN(space)                                                      \
  constexpr complex_t() space : real(0), imag(0) {}                                  \
  constexpr complex_t(T r, T i) space : real(r), imag(i) {}                          \
  __MLX_SCALAR constexpr complex_t(U r) space : real(T(r)), imag(T(0)) {}            \
  template <class U, metal::enable_if_t<!metal::is_same_v<U, T>, bool> = true>       \
  constexpr complex_t(complex_t<U> z) space : real(T(z.real)), imag(T(z.imag)) {}    \
  constexpr complex_t(metal::vec<T, 2> v) space : real(v[0]), imag(v[1]) {}          \
  __MLX_SCALAR constexpr operator U() const space { return U(real); }                \
  constexpr operator metal::vec<T, 2>() const space { return metal::vec<T, 2>(real, imag); }
  __MLX_COMPLEX_IN(__generic)
  __MLX_COMPLEX_IN(constant)
#undef __MLX_COMPLEX_IN
};
using complex32_t = complex_t<half>;
using complex64_t = complex_t<float>;

#define __MLX_COMPLEX_OPERATOR(op)                                                       \
  template <class T>                                                                     \
  constexpr complex_t<T> operator op(complex_t<T> a, complex_t<T>) { return a; }         \
  template <class T, class U, metal::enable_if_t<metal::is_arithmetic<U>::value, bool> = true> \
  constexpr complex_t<T> operator op(complex_t<T> a, U) { return a; }                    \
  template <class T, class U, metal::enable_if_t<metal::is_arithmetic<U>::value, bool> = true> \
  constexpr complex_t<T> operator op(U, complex_t<T> b) { return b; }
__MLX_COMPLEX_OPERATOR(+)
__MLX_COMPLEX_OPERATOR(-)
__MLX_COMPLEX_OPERATOR(*)
__MLX_COMPLEX_OPERATOR(/)
__MLX_COMPLEX_OPERATOR(%)
#undef __MLX_COMPLEX_OPERATOR
#define __MLX_COMPLEX_COMPARISON(op) \
  template <class T>                 \
  constexpr bool operator op(complex_t<T> a, complex_t<T> b) { return a.real op b.real; }
__MLX_COMPLEX_COMPARISON(==)
__MLX_COMPLEX_COMPARISON(<)
__MLX_COMPLEX_COMPARISON(>)
__MLX_COMPLEX_COMPARISON(<=)
__MLX_COMPLEX_COMPARISON(>=)
#undef __MLX_COMPLEX_COMPARISON
template <class T>
constexpr complex_t<T> operator-(complex_t<T> a) { return a; }
