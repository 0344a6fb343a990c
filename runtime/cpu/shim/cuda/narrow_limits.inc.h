// std::numeric_limits of one 16-bit format; the values are known by their bits.
template <>
struct std::numeric_limits<NARROW> {
  using Format = ::cudashim::FORMAT;
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, is_bounded = true, is_iec559 = true;
  static constexpr int digits = Format::precision, radix = 2, min_exponent = Format::min_exponent + 1;
  static constexpr int max_exponent = 2 - Format::min_exponent, digits10 = (Format::precision - 1) * 3 / 10;
  static NARROW min() { return NARROW::from_bits(1 << Format::mantissa_bits); }
  static NARROW max() { return NARROW::from_bits(Format::infinity - 1); }
  static NARROW lowest() { return NARROW::from_bits(0x8000 | (Format::infinity - 1)); }
  static NARROW epsilon() { return NARROW(std::ldexp(1.0f, 1 - Format::precision)); }
  static NARROW infinity() { return NARROW::from_bits(Format::infinity); }
  static NARROW quiet_NaN() { return NARROW::from_bits(Format::canonical_nan); }
  static NARROW denorm_min() { return NARROW::from_bits(1); }
};
