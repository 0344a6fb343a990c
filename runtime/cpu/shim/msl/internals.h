// Compiler builtins under Metal's own functions, which some library headers call by name. The trailing argument
// of the mathematical ones chooses fast or precise.
#pragma once
#include "simd.h"

#define __METAL_MAYBE_FAST_MATH__ 0
#define __METAL_FAST_MATH__ 1
#define __METAL_PRECISE_MATH__ 0

#define MSL_MATH1(name) \
    inline float __metal_##name(float x, int) { return metal::name(x); }
#define MSL_MATH2(name) \
    inline float __metal_##name(float x, float y, int) { return metal::name(x, y); }
#define MSL_MATH3(name) \
    inline float __metal_##name(float x, float y, float z, int) { return metal::name(x, y, z); }
MSL_MATH1(acos)
MSL_MATH1(acosh)
MSL_MATH1(asin)
MSL_MATH1(asinh)
MSL_MATH1(atan)
MSL_MATH1(atanh)
MSL_MATH1(ceil)
MSL_MATH1(cos)
MSL_MATH1(cosh)
MSL_MATH1(cospi)
MSL_MATH1(exp)
MSL_MATH1(exp10)
MSL_MATH1(exp2)
MSL_MATH1(fabs)
MSL_MATH1(floor)
MSL_MATH1(fract)
MSL_MATH1(log)
MSL_MATH1(log10)
MSL_MATH1(log2)
MSL_MATH1(rint)
MSL_MATH1(round)
MSL_MATH1(rsqrt)
MSL_MATH1(sin)
MSL_MATH1(sinh)
MSL_MATH1(sinpi)
MSL_MATH1(sqrt)
MSL_MATH1(tan)
MSL_MATH1(tanh)
MSL_MATH1(tanpi)
MSL_MATH1(trunc)
MSL_MATH2(atan2)
MSL_MATH2(divide)
MSL_MATH2(fmax)
MSL_MATH2(fmin)
MSL_MATH2(fmod)
MSL_MATH2(pow)
MSL_MATH2(powr)
MSL_MATH3(fmax3)
MSL_MATH3(fmedian3)
MSL_MATH3(fmin3)
#undef MSL_MATH1
#undef MSL_MATH2
#undef MSL_MATH3
inline float __metal_fma(float x, float y, float z) { return metal::fma(x, y, z); }
inline float __metal_nextafter(float x, float y) { return metal::nextafter(x, y); }
inline float __metal_ldexp(float x, int exponent, int) { return metal::ldexp(x, exponent); }
inline float __metal_frexp(float x, int* exponent) { return metal::frexp(x, *exponent); }

#define MSL_SIMD(name)                                  \
    template <class T, class... A>                      \
    inline auto __metal_simd_##name(T value, A... rest) { \
        return metal::simd_##name(value, rest...);      \
    }
MSL_SIMD(broadcast)
MSL_SIMD(shuffle)
MSL_SIMD(shuffle_up)
MSL_SIMD(shuffle_down)
MSL_SIMD(shuffle_xor)
MSL_SIMD(shuffle_rotate_up)
MSL_SIMD(shuffle_rotate_down)
MSL_SIMD(shuffle_and_fill_up)
MSL_SIMD(shuffle_and_fill_down)
MSL_SIMD(sum)
MSL_SIMD(product)
MSL_SIMD(min)
MSL_SIMD(max)
MSL_SIMD(xor)
MSL_SIMD(prefix_inclusive_sum)
MSL_SIMD(prefix_exclusive_sum)
MSL_SIMD(prefix_inclusive_product)
MSL_SIMD(prefix_exclusive_product)
#undef MSL_SIMD
inline ushort __metal_get_thread_index_in_simdgroup(ushort) { return static_cast<ushort>(engine::lane()); }
inline ushort __metal_get_simdgroup_size(ushort) { return engine::kSimd; }
