// binary16 and bfloat16 as bits: encode and decode with one rounding, NaN made CUDA's canonical 0x7fff.
#pragma once
#include "bits.h"

namespace cudashim {

struct Binary16 {
  static constexpr uint16_t canonical_nan = 0x7fff, infinity = 0x7c00;
  static constexpr int precision = 11, min_exponent = -14;
  static constexpr double largest = 65504.0;
  static constexpr int mantissa_bits = 10;

  static float decode(uint16_t bits) {
    uint32_t sign = uint32_t(bits & 0x8000) << 16, exponent = (bits >> 10) & 31, mantissa = bits & 0x3ff;
    if (exponent == 31) return bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
    if (exponent != 0) return bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
    float magnitude = float(mantissa) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }

  // Round to nearest even, the common case, by bits.
  static uint16_t encode(float value) {
    uint32_t bits = bit_cast<uint32_t>(value), magnitude = bits & 0x7fffffffu;
    uint16_t sign = uint16_t((bits >> 16) & 0x8000);
    if (magnitude > 0x7f800000u) return canonical_nan;
    if (magnitude >= 0x477ff000u) return sign | infinity;  // 65520 and up
    if (magnitude < 0x38800000u) {                         // subnormal half: let the adder round
      float rounded = bit_cast<float>(magnitude) + 0.5f;   // spacing of 2^-24 in [0.5, 1)
      return uint16_t(sign | (bit_cast<uint32_t>(rounded) - 0x3f000000u));
    }
    uint32_t odd = (magnitude >> 13) & 1;
    return uint16_t(sign | ((magnitude - 0x38000000u + 0xfffu + odd) >> 13));
  }
};

struct Bfloat16 {
  static constexpr uint16_t canonical_nan = 0x7fff, infinity = 0x7f80;
  static constexpr int precision = 8, min_exponent = -126;
  static constexpr double largest = 0x1.fep127;
  static constexpr int mantissa_bits = 7;

  static float decode(uint16_t bits) { return bit_cast<float>(uint32_t(bits) << 16); }

  static uint16_t encode(float value) {
    uint32_t bits = bit_cast<uint32_t>(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return canonical_nan;
    return uint16_t((bits + 0x7fffu + ((bits >> 16) & 1)) >> 16);
  }
};

// A double rounded once to the format; overflow goes to infinity or, rounding towards zero, to the largest value.
template <class Format>
[[gnu::noinline]] inline uint16_t encode_rounded(double value, Round mode) {
  if (std::isnan(value)) return Format::canonical_nan;
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isinf(value)) return sign | Format::infinity;
  double rounded = std::fabs(round_to_format(value, Format::precision, Format::min_exponent, mode));
  if (rounded > Format::largest) {
    bool inwards = mode == Round::zero || (mode == Round::up && sign) || (mode == Round::down && !sign);
    return sign | (inwards ? Format::infinity - 1 : Format::infinity);
  }
  if (rounded < std::ldexp(1.0, Format::min_exponent)) {
    double unit = std::ldexp(1.0, Format::min_exponent - Format::mantissa_bits);
    return uint16_t(sign | uint16_t(rounded / unit));
  }
  int exponent;
  double fraction = std::frexp(rounded, &exponent);  // [0.5, 1)
  unsigned biased = unsigned(exponent - Format::min_exponent);
  unsigned mantissa = unsigned(std::ldexp(fraction - 0.5, Format::precision));
  return uint16_t(sign | (biased << Format::mantissa_bits) | mantissa);
}

}  // namespace cudashim
