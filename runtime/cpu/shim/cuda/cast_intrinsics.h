// CUDA's conversion intrinsics: __float2int_rn … and the bit casts.
#pragma once
#include "conversions.h"

#define ROUNDED(SUFFIX, MODE)                                                                                  \
  TO_INTEGER(int, int, SUFFIX, MODE) TO_INTEGER(uint, unsigned int, SUFFIX, MODE)                              \
  TO_INTEGER(ll, long long, SUFFIX, MODE) TO_INTEGER(ull, unsigned long long, SUFFIX, MODE)                    \
  FROM_INTEGER(ll, long long, SUFFIX, MODE) FROM_INTEGER(ull, unsigned long long, SUFFIX, MODE)                \
  static inline float __int2float##SUFFIX(int v) { return ::cudashim::integer_to_float(v, ::cudashim::Round::MODE); } \
  static inline float __uint2float##SUFFIX(unsigned int v) {                                                   \
    return ::cudashim::integer_to_float(v, ::cudashim::Round::MODE);                                           \
  }                                                                                                            \
  static inline float __double2float##SUFFIX(double v) { return ::cudashim::double_to_float(v, ::cudashim::Round::MODE); }
#define TO_INTEGER(NAME, T, SUFFIX, MODE)                                               \
  static inline T __float2##NAME##SUFFIX(float v) {                                     \
    return ::cudashim::to_integer<T>(v, ::cudashim::Round::MODE);                       \
  }                                                                                     \
  static inline T __double2##NAME##SUFFIX(double v) {                                   \
    return ::cudashim::to_integer<T>(v, ::cudashim::Round::MODE, true);                 \
  }
#define FROM_INTEGER(NAME, T, SUFFIX, MODE)                                             \
  static inline float __##NAME##2float##SUFFIX(T v) {                                   \
    return ::cudashim::integer_to_float(v, ::cudashim::Round::MODE);                    \
  }                                                                                     \
  static inline double __##NAME##2double##SUFFIX(T v) {                                 \
    return ::cudashim::integer_to_double(v, ::cudashim::Round::MODE);                   \
  }
ROUNDED(_rn, nearest_even)
ROUNDED(_rz, zero)
ROUNDED(_rd, down)
ROUNDED(_ru, up)
#undef ROUNDED
#undef TO_INTEGER
#undef FROM_INTEGER

static inline double __int2double_rn(int v) { return v; }
static inline double __uint2double_rn(unsigned int v) { return v; }

static inline int __float_as_int(float v) { return ::cudashim::bit_cast<int>(v); }
static inline unsigned int __float_as_uint(float v) { return ::cudashim::bit_cast<unsigned int>(v); }
static inline float __int_as_float(int v) { return ::cudashim::bit_cast<float>(v); }
static inline float __uint_as_float(unsigned int v) { return ::cudashim::bit_cast<float>(v); }
static inline long long __double_as_longlong(double v) { return ::cudashim::bit_cast<long long>(v); }
static inline double __longlong_as_double(long long v) { return ::cudashim::bit_cast<double>(v); }
static inline int __double2hiint(double v) { return int(::cudashim::bit_cast<unsigned long long>(v) >> 32); }
static inline int __double2loint(double v) { return int(::cudashim::bit_cast<unsigned long long>(v)); }
static inline double __hiloint2double(int hi, int lo) {
  return ::cudashim::bit_cast<double>(((unsigned long long)(unsigned int)hi << 32) | (unsigned int)lo);
}
