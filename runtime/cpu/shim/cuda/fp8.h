// fp8: __nv_fp8_e4m3 and e5m2 with their vector types and conversion functions (cuda_fp8.h).
#pragma once
#include "bfloat16.h"
#include "half.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace cudashim {

// e4m3 has no infinity: 0x7f is its NaN. e5m2 is the upper byte of binary16.
inline uint8_t encode_fp8(double value, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  bool e4m3 = kind == __NV_E4M3;
  uint8_t sign = std::signbit(value) ? 0x80 : 0;
  if (std::isnan(value)) return e4m3 ? sign | 0x7f : 0x7f;
  int mantissa_bits = e4m3 ? 3 : 2, min_exponent = e4m3 ? -6 : -14;
  double largest = e4m3 ? 448.0 : 57344.0;
  double rounded = std::isinf(value) ? INFINITY
                                     : std::fabs(round_to_format(value, mantissa_bits + 1, min_exponent, Round::nearest_even));
  if (rounded > largest) {
    if (saturate == __NV_SATFINITE) return sign | (e4m3 ? 0x7e : 0x7b);
    return sign | (e4m3 ? 0x7f : 0x7c);
  }
  double unit = std::ldexp(1.0, min_exponent - mantissa_bits);
  if (rounded < std::ldexp(1.0, min_exponent)) return uint8_t(sign | uint8_t(rounded / unit));
  int exponent;
  double fraction = std::frexp(rounded, &exponent);
  unsigned mantissa = unsigned(std::ldexp(fraction - 0.5, mantissa_bits + 1));
  return uint8_t(sign | (unsigned(exponent - min_exponent) << mantissa_bits) | mantissa);
}

inline float decode_fp8(uint8_t bits, __nv_fp8_interpretation_t kind) {
  if (kind == __NV_E5M2) return Binary16::decode(uint16_t(bits << 8));
  int exponent = (bits >> 3) & 15, mantissa = bits & 7;
  if ((bits & 0x7f) == 0x7f) return bit_cast<float>(0x7fffffffu);
  float magnitude = exponent == 0 ? std::ldexp(float(mantissa), -9) : std::ldexp(float(8 + mantissa), exponent - 10);
  return bits & 0x80 ? -magnitude : magnitude;
}

}  // namespace cudashim

static inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float v, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return ::cudashim::encode_fp8(v, s, k);
}
static inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double v, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return ::cudashim::encode_fp8(v, s, k);
}
static inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 v, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return __nv_fp8x2_storage_t(::cudashim::encode_fp8(v.x, s, k) | ::cudashim::encode_fp8(v.y, s, k) << 8);
}
static inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw v, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return ::cudashim::encode_fp8(double(float(__half(v))), s, k);
}
static inline __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw v, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  __half2 pair(v);
  return __nv_cvt_float2_to_fp8x2(__half22float2(pair), s, k);
}
static inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw v, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return ::cudashim::encode_fp8(double(float(__nv_bfloat16(v))), s, k);
}
static inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t v, __nv_fp8_interpretation_t k) {
  return __half_raw(__half(::cudashim::decode_fp8(v, k)));
}
static inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t v, __nv_fp8_interpretation_t k) {
  return __half2_raw(__half2(__half(::cudashim::decode_fp8(uint8_t(v), k)), __half(::cudashim::decode_fp8(uint8_t(v >> 8), k))));
}

#define FP8_TYPE(NAME, KIND)                                                                                  \
  struct NAME {                                                                                               \
    __nv_fp8_storage_t __x;                                                                                   \
    NAME() = default;                                                                                         \
    explicit NAME(float v) : __x(::cudashim::encode_fp8(v, __NV_SATFINITE, KIND)) {}                          \
    explicit NAME(double v) : __x(::cudashim::encode_fp8(v, __NV_SATFINITE, KIND)) {}                         \
    explicit NAME(int v) : __x(::cudashim::encode_fp8(v, __NV_SATFINITE, KIND)) {}                            \
    explicit NAME(__half v) : __x(::cudashim::encode_fp8(float(v), __NV_SATFINITE, KIND)) {}                  \
    explicit NAME(__nv_bfloat16 v) : __x(::cudashim::encode_fp8(float(v), __NV_SATFINITE, KIND)) {}           \
    explicit operator float() const { return ::cudashim::decode_fp8(__x, KIND); }                             \
    explicit operator double() const { return ::cudashim::decode_fp8(__x, KIND); }                            \
    explicit operator __half() const { return __half(::cudashim::decode_fp8(__x, KIND)); }                    \
    explicit operator __nv_bfloat16() const { return __nv_bfloat16(::cudashim::decode_fp8(__x, KIND)); }      \
  };
FP8_TYPE(__nv_fp8_e4m3, __NV_E4M3)
FP8_TYPE(__nv_fp8_e5m2, __NV_E5M2)
#undef FP8_TYPE

#define FP8_VECTORS(KIND_NAME, KIND)                                                                          \
  struct alignas(2) __nv_fp8x2_##KIND_NAME {                                                                  \
    __nv_fp8x2_storage_t __x;                                                                                 \
    __nv_fp8x2_##KIND_NAME() = default;                                                                       \
    explicit __nv_fp8x2_##KIND_NAME(float2 v) : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, KIND)) {}     \
    explicit __nv_fp8x2_##KIND_NAME(__half2 v) : __x(__nv_cvt_float2_to_fp8x2(__half22float2(v), __NV_SATFINITE, KIND)) {} \
    explicit operator float2() const {                                                                        \
      return float2{::cudashim::decode_fp8(uint8_t(__x), KIND), ::cudashim::decode_fp8(uint8_t(__x >> 8), KIND)}; \
    }                                                                                                         \
    explicit operator __half2() const { return __float22half2_rn(float2(*this)); }                            \
  };                                                                                                          \
  struct alignas(4) __nv_fp8x4_##KIND_NAME {                                                                  \
    __nv_fp8x4_storage_t __x;                                                                                 \
    __nv_fp8x4_##KIND_NAME() = default;                                                                       \
    explicit __nv_fp8x4_##KIND_NAME(float4 v)                                                                 \
        : __x(__nv_cvt_float2_to_fp8x2(float2{v.x, v.y}, __NV_SATFINITE, KIND) |                              \
              unsigned(__nv_cvt_float2_to_fp8x2(float2{v.z, v.w}, __NV_SATFINITE, KIND)) << 16) {}            \
    explicit operator float4() const {                                                                        \
      return float4{::cudashim::decode_fp8(uint8_t(__x), KIND), ::cudashim::decode_fp8(uint8_t(__x >> 8), KIND), \
                    ::cudashim::decode_fp8(uint8_t(__x >> 16), KIND), ::cudashim::decode_fp8(uint8_t(__x >> 24), KIND)}; \
    }                                                                                                         \
  };
FP8_VECTORS(e4m3, __NV_E4M3)
FP8_VECTORS(e5m2, __NV_E5M2)
#undef FP8_VECTORS
