// CUDA's math functions where <math.h> has no such name: min/max with CUDA's mixed overloads, rsqrt, sinpi …
// Everything is the accurate version; the __fast ones too, since their error on a GPU is not reproducible.
#pragma once
#include <math.h>
#include <stdlib.h>
#include "special_functions.h"

namespace cudashim {
template <class T> constexpr T least(T a, T b) { return a < b ? a : b; }
template <class T> constexpr T greatest(T a, T b) { return a > b ? a : b; }
}  // namespace cudashim

#define MIN_MAX(RESULT, A, B)                                                                      \
  static inline constexpr RESULT min(A a, B b) { return ::cudashim::least<RESULT>(a, b); }         \
  static inline constexpr RESULT max(A a, B b) { return ::cudashim::greatest<RESULT>(a, b); }
#define MIN_MAX_MIXED(T) \
  MIN_MAX(T, T, T) MIN_MAX(unsigned T, unsigned T, unsigned T) MIN_MAX(unsigned T, T, unsigned T) \
  MIN_MAX(unsigned T, unsigned T, T)
MIN_MAX_MIXED(int)
MIN_MAX_MIXED(long)
MIN_MAX_MIXED(long long)
#undef MIN_MAX
#undef MIN_MAX_MIXED
#define MIN_MAX(RESULT, A, B)                                                              \
  static inline RESULT min(A a, B b) { return ::fmin(RESULT(a), RESULT(b)); }              \
  static inline RESULT max(A a, B b) { return ::fmax(RESULT(a), RESULT(b)); }
MIN_MAX(float, float, float)
MIN_MAX(double, double, double)
MIN_MAX(double, float, double)
MIN_MAX(double, double, float)
#undef MIN_MAX
static inline unsigned int umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
static inline unsigned int umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
static inline long long llmin(long long a, long long b) { return a < b ? a : b; }
static inline long long llmax(long long a, long long b) { return a > b ? a : b; }
static inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
static inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }

// C23 has these names too (glibc declares sinpi and cospi since 2.41, rsqrt since 2.42).
#define rsqrt cuda_rsqrt
#define rsqrtf cuda_rsqrtf
#define sinpi cuda_sinpi
#define sinpif cuda_sinpif
#define cospi cuda_cospi
#define cospif cuda_cospif

// name(double), name(float) and namef(float), of the double expression in x.
#define FUNCTION(NAME, EXPRESSION)                                        \
  static inline double NAME(double x) { return EXPRESSION; }              \
  static inline float NAME(float v) { return float(NAME(double(v))); }    \
  static inline float NAME##f(float v) { return float(NAME(double(v))); }
FUNCTION(rsqrt, 1.0 / std::sqrt(x))
FUNCTION(rcbrt, 1.0 / std::cbrt(x))
FUNCTION(sinpi, ::cudashim::sin_pi(x))
FUNCTION(cospi, ::cudashim::cos_pi(x))
FUNCTION(erfcx, ::cudashim::erfcx(x))
FUNCTION(erfinv, ::cudashim::erfinv(x))
FUNCTION(erfcinv, ::cudashim::erfcinv(x))
FUNCTION(normcdf, ::cudashim::normal_cdf(x))
FUNCTION(normcdfinv, ::cudashim::normal_cdf_inverse(x))
FUNCTION(cyl_bessel_i0, ::cudashim::bessel_i(0, x))
FUNCTION(cyl_bessel_i1, ::cudashim::bessel_i(1, x))
#undef FUNCTION
#ifdef __GLIBC__  // has exp10(double), exp10f, sincos, sincosf
static inline float exp10(float x) { return ::exp10f(x); }
#else
static inline double exp10(double x) { return std::pow(10.0, x); }
static inline float exp10(float x) { return float(std::pow(10.0, double(x))); }
static inline float exp10f(float x) { return float(std::pow(10.0, double(x))); }
static inline void sincos(double x, double* s, double* c) { *s = std::sin(x); *c = std::cos(x); }
static inline void sincosf(float x, float* s, float* c) { *s = std::sin(x); *c = std::cos(x); }
static inline float j0f(float x) { return float(::j0(double(x))); }
static inline float j1f(float x) { return float(::j1(double(x))); }
static inline float jnf(int n, float x) { return float(::jn(n, double(x))); }
static inline float y0f(float x) { return float(::y0(double(x))); }
static inline float y1f(float x) { return float(::y1(double(x))); }
static inline float ynf(int n, float x) { return float(::yn(n, double(x))); }
#endif
static inline void sincos(float x, float* s, float* c) { *s = std::sin(x); *c = std::cos(x); }
static inline void sincospi(double x, double* s, double* c) { *s = sinpi(x); *c = cospi(x); }
static inline void sincospi(float x, float* s, float* c) { *s = sinpi(x); *c = cospi(x); }
static inline void sincospif(float x, float* s, float* c) { *s = sinpi(x); *c = cospi(x); }

// The C library's own are undefined out of range, and its tests say "not 0" where CUDA's say 1.
#define TO_INTEGER(NAME, RN_OR_RZ, ROUNDED)                                                          \
  static inline long cuda_##NAME(double x) { return __double2ll_##RN_OR_RZ(ROUNDED(x)); }            \
  static inline long cuda_##NAME(float x) { return __float2ll_##RN_OR_RZ(ROUNDED##f(x)); }           \
  static inline long cuda_##NAME##f(float x) { return cuda_##NAME(x); }                              \
  static inline long long cuda_l##NAME(double x) { return cuda_##NAME(x); }                          \
  static inline long long cuda_l##NAME(float x) { return cuda_##NAME(x); }                           \
  static inline long long cuda_l##NAME##f(float x) { return cuda_##NAME(x); }                        \
  namespace std {                                                                                    \
  using ::cuda_##NAME, ::cuda_##NAME##f, ::cuda_l##NAME, ::cuda_l##NAME##f;                          \
  }
TO_INTEGER(lrint, rn, ::rint)
TO_INTEGER(lround, rz, ::round)
#undef TO_INTEGER
#define lrint cuda_lrint
#define lrintf cuda_lrintf
#define llrint cuda_llrint
#define llrintf cuda_llrintf
#define lround cuda_lround
#define lroundf cuda_lroundf
#define llround cuda_llround
#define llroundf cuda_llroundf
namespace cudashim {
inline int is_inf(float x) { return std::isinf(x); }
inline int sign_bit(float x) { return std::signbit(x); }
}  // namespace cudashim
#define __isinff ::cudashim::is_inf
#define __signbitf ::cudashim::sign_bit

static inline float fdividef(float a, float b) { return a / b; }
static inline double rhypot(double a, double b) { return 1.0 / std::hypot(a, b); }
static inline float rhypotf(float a, float b) { return float(1.0 / std::hypot(double(a), double(b))); }
static inline double norm3d(double a, double b, double c) { return std::hypot(std::hypot(a, b), c); }
static inline double norm4d(double a, double b, double c, double d) { return std::hypot(norm3d(a, b, c), d); }
static inline double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
static inline double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
static inline float norm3df(float a, float b, float c) { return float(norm3d(a, b, c)); }
static inline float norm4df(float a, float b, float c, float d) { return float(norm4d(a, b, c, d)); }
static inline float rnorm3df(float a, float b, float c) { return float(rnorm3d(a, b, c)); }
static inline float rnorm4df(float a, float b, float c, float d) { return float(rnorm4d(a, b, c, d)); }
static inline double norm(int n, const double* p) {
  double length = 0.0;
  for (int i = 0; i < n; ++i) length = std::hypot(length, p[i]);
  return length;
}
static inline float normf(int n, const float* p) {
  double length = 0.0;
  for (int i = 0; i < n; ++i) length = std::hypot(length, double(p[i]));
  return float(length);
}
static inline float rnormf(int n, const float* p) { return 1.0f / normf(n, p); }
static inline double rnorm(int n, const double* p) { return 1.0 / norm(n, p); }

// The fast intrinsics are macros because glibc declares __expf and its like as its own.
namespace cudashim {
inline float fast_exp(float x) { return ::expf(x); }
inline float fast_exp10(float x) { return ::exp10f(x); }
inline float fast_log(float x) { return ::logf(x); }
inline float fast_log2(float x) { return ::log2f(x); }
inline float fast_log10(float x) { return ::log10f(x); }
inline float fast_sin(float x) { return ::sinf(x); }
inline float fast_cos(float x) { return ::cosf(x); }
inline float fast_tan(float x) { return ::tanf(x); }
inline float fast_tanh(float x) { return ::tanhf(x); }
inline float fast_pow(float x, float y) { return ::powf(x, y); }
inline void fast_sincos(float x, float* s, float* c) { ::sincosf(x, s, c); }
inline float fast_divide(float x, float y) { return std::fabs(y) > 0x1p126f && !std::isinf(x) ? 0.0f * x : x / y; }
}  // namespace cudashim
#define __expf ::cudashim::fast_exp
#define __exp10f ::cudashim::fast_exp10
#define __logf ::cudashim::fast_log
#define __log2f ::cudashim::fast_log2
#define __log10f ::cudashim::fast_log10
#define __sinf ::cudashim::fast_sin
#define __cosf ::cudashim::fast_cos
#define __tanf ::cudashim::fast_tan
#define __tanhf ::cudashim::fast_tanh
#define __powf ::cudashim::fast_pow
#define __sincosf ::cudashim::fast_sincos
#define __fdividef ::cudashim::fast_divide
