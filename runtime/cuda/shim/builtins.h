// The compiler builtins that the Metal headers call, as CUDA's functions; then Metal's names, which CUDA also
// has in the global namespace, are renamed in all the text that follows.
#pragma once
#include "std.h"

namespace builtin {
inline double sine(double x) { return ::sin(x); }
inline double cosine(double x) { return ::cos(x); }
inline double power_of_two(double x) { return ::exp2(x); }
inline double root(double x) { return ::sqrt(x); }
inline bool is_infinite(float x) { return (__float_as_uint(x) << 1) == 0xff000000u; }
inline bool is_finite(float x) { return (__float_as_uint(x) << 1) < 0xff000000u; }
inline bool is_normal(float x) { return is_finite(x) && (__float_as_uint(x) << 1) >= 0x01000000u; }
}  // namespace builtin

#define __builtin_sin ::builtin::sine
#define __builtin_cos ::builtin::cosine
#define __builtin_exp2 ::builtin::power_of_two
#define __builtin_sqrt ::builtin::root
#define __builtin_isnan(x) ((x) != (x))
#define __builtin_isinf ::builtin::is_infinite
#define __builtin_isfinite ::builtin::is_finite
#define __builtin_isnormal ::builtin::is_normal
#define __builtin_signbit(x) (__float_as_uint(x) >> 31)
#define __builtin_huge_valf() __builtin_bit_cast(float, 0x7f800000)
#define __builtin_nanf(text) __builtin_bit_cast(float, 0x7fc00000)
#define __builtin_nansf(text) __builtin_bit_cast(float, 0x7fa00000)
#define __builtin_memcpy memcpy
#define __builtin_memset memset
#define __builtin_clz(x) __clz(int(x))
#define __builtin_clzll(x) __clzll((long long)(x))
#define __builtin_ctz(x) (__ffs(int(x)) - 1)
#define __builtin_ctzll(x) (__ffsll((long long)(x)) - 1)
#define __builtin_popcountll __popcll
#define __builtin_acosf ::acosf
#define __builtin_acoshf ::acoshf
#define __builtin_asinf ::asinf
#define __builtin_asinhf ::asinhf
#define __builtin_atanf ::atanf
#define __builtin_atanhf ::atanhf
#define __builtin_atan2f ::atan2f
#define __builtin_ceilf ::ceilf
#define __builtin_copysignf ::copysignf
#define __builtin_cosf ::cosf
#define __builtin_coshf ::coshf
#define __builtin_expf ::expf
#define __builtin_exp2f ::exp2f
#define __builtin_fabsf ::fabsf
#define __builtin_fdimf ::fdimf
#define __builtin_floorf ::floorf
#define __builtin_fmaf ::fmaf
#define __builtin_fmaxf ::fmaxf
#define __builtin_fminf ::fminf
#define __builtin_fmodf ::fmodf
#define __builtin_frexpf ::frexpf
#define __builtin_ilogbf ::ilogbf
#define __builtin_ldexpf ::ldexpf
#define __builtin_logf ::logf
#define __builtin_log2f ::log2f
#define __builtin_log10f ::log10f
#define __builtin_modff ::modff
#define __builtin_nextafterf ::nextafterf
#define __builtin_powf ::powf
#define __builtin_rintf ::rintf
#define __builtin_roundf ::roundf
#define __builtin_sinf ::sinf
#define __builtin_sinhf ::sinhf
#define __builtin_sqrtf ::sqrtf
#define __builtin_tanf ::tanf
#define __builtin_tanhf ::tanhf
#define __builtin_truncf ::truncf

#ifndef __FLT_MAX__
#define __FLT_MAX__ 3.402823466e+38f
#define __FLT_MIN__ 1.175494351e-38f
#define __FLT_EPSILON__ 1.192092896e-07f
#define __FLT_DENORM_MIN__ 1.401298464e-45f
#endif
#ifndef __INT_MAX__
#define __INT_MAX__ 2147483647
#define __LONG_MAX__ 9223372036854775807l
#endif
