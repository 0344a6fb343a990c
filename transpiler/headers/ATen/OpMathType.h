// The type in which PyTorch computes with values of another: float for the 16-bit types.
#pragma once

namespace at {

template <typename T>
struct OpMathType {
  using type = T;
};
template <>
struct OpMathType<__half> {
  using type = float;
};
template <>
struct OpMathType<__nv_bfloat16> {
  using type = float;
};

template <typename T>
using opmath_type = typename OpMathType<T>::type;

}  // namespace at
