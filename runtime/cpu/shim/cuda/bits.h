// Bit patterns and the one rounding routine every narrow float format uses.
#pragma once
#include <cfloat>
#include <climits>
// C++20's lerp would be in the global namespace, where every other kernel has a lerp of its own.
#define lerp lerp_of_the_host
#include <cmath>
#include <math.h>
#undef lerp
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace cudashim {

template <class To, class From>
inline To bit_cast(const From& value) {
  static_assert(sizeof(To) == sizeof(From), "bit_cast keeps the size");
  To result;
  __builtin_memcpy(static_cast<void*>(&result), &value, sizeof(To));
  return result;
}

enum class Round { nearest_even, zero, down, up };

// |x| as an integer multiple of `unit` (a power of two), rounded by `mode`; `negative` says the sign of x.
[[gnu::noinline]] inline double round_multiple(double magnitude, double unit, Round mode, bool negative) {
  double scaled = magnitude / unit;  // exact: unit is a power of two and scaled < 2^54
  double whole = std::floor(scaled);
  double rest = scaled - whole;
  bool up = false;
  switch (mode) {
    case Round::nearest_even: up = rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2.0) != 0.0); break;
    case Round::zero: break;
    case Round::down: up = negative && rest > 0; break;
    case Round::up: up = !negative && rest > 0; break;
  }
  return (whole + (up ? 1.0 : 0.0)) * unit;
}

// A finite x rounded once to `precision` significant bits with exponents from `min_exponent` up (below it the
// spacing stays, as with subnormals). The result may exceed the format's largest value: the caller decides.
[[gnu::noinline]] inline double round_to_format(double x, int precision, int min_exponent, Round mode) {
  if (x == 0.0) return x;
  int exponent;
  std::frexp(x, &exponent);  // |x| in [2^(exponent-1), 2^exponent)
  exponent -= 1;
  if (exponent < min_exponent) exponent = min_exponent;
  double unit = std::ldexp(1.0, exponent - (precision - 1));
  bool negative = std::signbit(x);
  return std::copysign(round_multiple(std::fabs(x), unit, mode, negative), x);
}

// a + b in double, rounded to odd: a later rounding to at most 51 bits is then as if done once from the exact sum.
[[gnu::noinline]] inline double add_round_odd(double a, double b) {
  double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  double part = sum - a;
  double error = (a - (sum - part)) + (b - part);
  if (error == 0.0) return sum;
  uint64_t bits = bit_cast<uint64_t>(sum);
  if (bits & 1) return sum;
  bool away = (error > 0) == (sum > 0);
  return bit_cast<double>(away ? bits + 1 : bits - 1);
}

// a * b + c where a * b is exact in double (narrow formats), to odd.
inline double fma_round_odd(double a, double b, double c) { return add_round_odd(a * b, c); }

}  // namespace cudashim
