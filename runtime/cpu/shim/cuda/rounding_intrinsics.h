// __fadd_rd, __dmul_ru, __fmaf_rz …: one operation in a stated rounding direction.
#pragma once
#include <cfenv>
#include <cmath>

namespace cudashim {

// f() under the given <cfenv> direction. Operands are volatile in the callers, so nothing moves across.
template <class F>
inline auto under_rounding(int direction, F f) {
  int before = std::fegetround();
  std::fesetround(direction);
  volatile auto result = f();
  std::fesetround(before);
  return +result;
}

}  // namespace cudashim

#define DIRECTIONS(FORM, ...)                                                                            \
  FORM(_rn, FE_TONEAREST, __VA_ARGS__) FORM(_rz, FE_TOWARDZERO, __VA_ARGS__)                             \
  FORM(_rd, FE_DOWNWARD, __VA_ARGS__) FORM(_ru, FE_UPWARD, __VA_ARGS__)
#define BINARY(SUFFIX, DIRECTION, NAME, T, OP)                                                           \
  static inline T NAME##SUFFIX(T a, T b) {                                                               \
    volatile T x = a, y = b;                                                                             \
    return ::cudashim::under_rounding(DIRECTION, [&]() -> T { return x OP y; });                         \
  }
#define UNARY(SUFFIX, DIRECTION, NAME, T, EXPRESSION)                                                    \
  static inline T NAME##SUFFIX(T a) {                                                                    \
    volatile T x = a;                                                                                    \
    return ::cudashim::under_rounding(DIRECTION, [&]() -> T { return EXPRESSION; });                     \
  }
#define FUSED(SUFFIX, DIRECTION, NAME, T)                                                                \
  static inline T NAME##SUFFIX(T a, T b, T c) {                                                          \
    volatile T x = a, y = b, z = c;                                                                      \
    return ::cudashim::under_rounding(DIRECTION, [&]() -> T { return std::fma(T(x), T(y), T(z)); });     \
  }
DIRECTIONS(BINARY, __fadd, float, +)
DIRECTIONS(BINARY, __fsub, float, -)
DIRECTIONS(BINARY, __fmul, float, *)
DIRECTIONS(BINARY, __fdiv, float, /)
DIRECTIONS(BINARY, __dadd, double, +)
DIRECTIONS(BINARY, __dsub, double, -)
DIRECTIONS(BINARY, __dmul, double, *)
DIRECTIONS(BINARY, __ddiv, double, /)
DIRECTIONS(UNARY, __frcp, float, 1.0f / x)
DIRECTIONS(UNARY, __drcp, double, 1.0 / x)
DIRECTIONS(UNARY, __fsqrt, float, std::sqrt(float(x)))
DIRECTIONS(UNARY, __dsqrt, double, std::sqrt(double(x)))
DIRECTIONS(FUSED, __fmaf, float)
DIRECTIONS(FUSED, __fma, double)
#undef DIRECTIONS
#undef BINARY
#undef UNARY
#undef FUSED

static inline float __frsqrt_rn(float a) { return float(1.0 / std::sqrt(double(a))); }
static inline float __fmaf_ieee_rn(float a, float b, float c) { return std::fma(a, b, c); }
static inline float __fmaf_ieee_rz(float a, float b, float c) { return __fmaf_rz(a, b, c); }
static inline float __fmaf_ieee_rd(float a, float b, float c) { return __fmaf_rd(a, b, c); }
static inline float __fmaf_ieee_ru(float a, float b, float c) { return __fmaf_ru(a, b, c); }
static inline float __saturatef(float a) { return a >= 1.0f ? 1.0f : a > 0.0f ? a : 0.0f; }  // NaN to 0
