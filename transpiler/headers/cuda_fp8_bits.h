// 8-bit floating-point values from and to float, by their bits.
#pragma once

namespace std {

// With 3 or 2 bits of mantissa and 4 or 5 of exponent, rounded to the nearest, ties to even; `largest` is the code of the
// largest finite value, to which too large ones are cut or behind which the next code is infinite (or, of e4m3, NaN).
__host__ __device__ inline unsigned char fp8_from_float(float value, bool saturates, int mantissa, unsigned int largest) {
  const unsigned int bits = __float_as_uint(value), magnitude = bits & 0x7fffffffu;
  const unsigned int sign = (bits >> 24) & 0x80u, bias = mantissa == 3 ? 7u : 15u;
  if (magnitude > 0x7f800000u) return mantissa == 3 ? sign | 0x7fu : 0x7fu;
  unsigned int code;
  if (magnitude < (128u - bias) << 23) {  // below the normal values: in units of the smallest one
    code = (unsigned int)rintf(__uint_as_float(magnitude) * __uint_as_float((126u + bias + mantissa) << 23));
  } else {
    const unsigned int odd = (magnitude >> (23 - mantissa)) & 1u;
    code = ((magnitude + (1u << (22 - mantissa)) - 1u + odd) >> (23 - mantissa)) - ((127u - bias) << mantissa);
  }
  if (code > largest) code = saturates ? largest : (mantissa == 3 ? 0x7fu : 0x7cu);
  return sign | code;
}

__host__ __device__ inline float float_from_e4m3(unsigned char code) {
  const unsigned int magnitude = code & 0x7fu, sign = (code & 0x80u) << 24;
  if (magnitude == 0x7fu) return __uint_as_float(0x7fffffffu);
  const float small = magnitude * 0.001953125f;  // 2^-9
  return __uint_as_float(sign | (magnitude < 8u ? __float_as_uint(small) : (magnitude << 20) + (120u << 23)));
}

__host__ __device__ inline float float_from_e5m2(unsigned char code) {
  return __half2float(__ushort_as_half((unsigned short)(code << 8)));
}

}  // namespace std
