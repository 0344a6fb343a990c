// Number conversions: CUDA's saturating float-to-integer rules, and integers rounded once to a float format.
#pragma once
#include "formats.h"

namespace cudashim {

template <class T> inline T round_to_integral(T x, Round mode) {
  switch (mode) {
    case Round::nearest_even: return std::nearbyint(x);
    case Round::zero: return std::trunc(x);
    case Round::down: return std::floor(x);
    case Round::up: return std::ceil(x);
  }
  return x;
}

// PTX cvt: out of range saturates; NaN gives 0, or the top bit when the source is double or the target 64-bit.
template <class To, class From>
[[gnu::noinline]] inline To to_integer(From x, Round mode, bool wide_source = false) {
  using Limits = std::numeric_limits<To>;
  if (std::isnan(x)) return sizeof(To) == 8 || wide_source ? To(To(1) << (sizeof(To) * 8 - 1)) : To(0);
  From whole = round_to_integral(x, mode);
  if (whole >= std::ldexp(From(1), Limits::digits)) return Limits::max();
  if (whole < From(Limits::min())) return Limits::min();
  return To(whole);
}

// An integer to double, to odd when it has more than 53 bits, so that a later rounding is the only one.
template <class T>
inline double integer_to_double_odd(T v) {
  if constexpr (sizeof(T) < 8) {
    return double(v);
  } else {
    bool negative = v < 0;
    uint64_t magnitude = negative ? uint64_t(0) - uint64_t(v) : uint64_t(v);
    if (magnitude >> 53) magnitude = ((magnitude >> 11) | ((magnitude & 0x7ff) != 0)) << 11;
    double result = double(magnitude);
    return negative ? -result : result;
  }
}

template <class Format, class T>
inline uint16_t encode_integer(T v, Round mode) {
  return encode_rounded<Format>(integer_to_double_odd(v), mode);
}

// An integer or double to float or double in any rounding direction.
[[gnu::noinline]] inline float double_to_float(double x, Round mode) {
  if (!std::isfinite(x)) return float(x);
  double rounded = round_to_format(x, 24, -126, mode);
  if (std::fabs(rounded) <= 0x1.fffffep127) return float(rounded);
  bool negative = x < 0;
  bool inwards = mode == Round::zero || (mode == Round::up && negative) || (mode == Round::down && !negative);
  return inwards ? std::copysign(0x1.fffffep127f, float(negative ? -1 : 1)) : float(rounded);
}

template <class T>
inline float integer_to_float(T v, Round mode) {
  return double_to_float(integer_to_double_odd(v), mode);
}

template <class T>
inline double integer_to_double(T v, Round mode) {
  double odd = integer_to_double_odd(v);
  if (sizeof(T) < 8 || mode == Round::nearest_even) return double(v);
  bool negative = v < 0;
  uint64_t magnitude = negative ? uint64_t(0) - uint64_t(v) : uint64_t(v);
  int shift = 11 - __builtin_clzll(magnitude | 1);
  if (shift <= 0) return odd;
  uint64_t kept = magnitude >> shift, dropped = magnitude & ((uint64_t(1) << shift) - 1);
  bool up = dropped && ((mode == Round::up && !negative) || (mode == Round::down && negative));
  double result = std::ldexp(double(kept + up), shift);
  return negative ? -result : result;
}

}  // namespace cudashim
