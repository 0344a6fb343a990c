// Floating-point functions. fast:: and precise:: give the same, correctly rounded or nearly so: what a GPU may
// round away is not imitated. 16-bit floats compute in float and round once; vectors by component.
#pragma once
#include "traits.h"

namespace metal {

namespace detail {
template <class F, class A, class... B>
    requires(_Vector<A> || (_Vector<B> || ...))
constexpr auto floats(F f, const A& a, const B&... b) {
    using V = among<A, B...>;
    using T = element<V>;
    return map<T, lanes<V>>([&](auto... x) { return f(x...); }, as<T>(a), as<T>(b)...);
}
template <class... A>
concept AnyVector = (_Vector<A> || ...) && (_Part<A> && ...);
}  // namespace detail

// A function of floats, for 16-bit floats, integers (made float) and vectors.
#define MSL_FLOAT1(name, expression)                                              \
    inline float name(float x) { return expression; }                             \
    inline float name(double x) { return name(static_cast<float>(x)); }           \
    template <_Narrow T>                                                           \
    inline T name(T x) {                                                          \
        return T(name(static_cast<float>(x)));                                    \
    }                                                                             \
    template <_Integer T>                                                          \
    inline float name(T x) {                                                      \
        return name(static_cast<float>(x));                                       \
    }                                                                             \
    template <_Vector A>                                                           \
    inline auto name(const A& a) {                                                \
        return detail::floats([](auto x) { return name(x); }, a);                 \
    }
#define MSL_FLOAT2(name, expression)                                              \
    inline float name(float x, float y) { return expression; }                    \
    template <_Narrow T>                                                           \
    inline T name(T x, T y) {                                                     \
        return T(name(static_cast<float>(x), static_cast<float>(y)));             \
    }                                                                             \
    template <class A, class B>                                                   \
        requires detail::AnyVector<A, B>                                          \
    inline auto name(const A& a, const B& b) {                                    \
        return detail::floats([](auto x, auto y) { return name(x, y); }, a, b);   \
    }
#define MSL_FLOAT3(name, expression)                                                              \
    inline float name(float x, float y, float z) { return expression; }                           \
    template <_Narrow T>                                                                           \
    inline T name(T x, T y, T z) {                                                                \
        return T(name(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)));      \
    }                                                                                             \
    template <class A, class B, class C>                                                          \
        requires detail::AnyVector<A, B, C>                                                       \
    inline auto name(const A& a, const B& b, const C& c) {                                        \
        return detail::floats([](auto x, auto y, auto z) { return name(x, y, z); }, a, b, c);     \
    }

namespace detail {
// sin(pi x) and cos(pi x) reduce exactly before they multiply.
inline float sine_of_pi(float x) {
    const float r = x - 2.0f * __builtin_rintf(0.5f * x);  // in [-1, 1]
    return static_cast<float>(__builtin_sin(3.14159265358979323846 * static_cast<double>(r)));
}
inline float cosine_of_pi(float x) {
    const float r = x - 2.0f * __builtin_rintf(0.5f * x);
    return static_cast<float>(__builtin_cos(3.14159265358979323846 * static_cast<double>(r)));
}
inline float sign_of(float x) { return x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : __builtin_isnan(x) ? 0.0f : x; }
inline float fraction(float x) {
    const float below = x - __builtin_floorf(x);
    return below < 1.0f ? below : 0x1.fffffep-1f;
}
inline float middle(float x, float y, float z) {
    return __builtin_fmaxf(__builtin_fminf(x, y), __builtin_fminf(__builtin_fmaxf(x, y), z));
}
inline float smooth(float low, float high, float x) {
    const float t = __builtin_fminf(__builtin_fmaxf((x - low) / (high - low), 0.0f), 1.0f);
    return t * t * (3.0f - 2.0f * t);
}
}  // namespace detail

MSL_FLOAT1(acos, __builtin_acosf(x))
MSL_FLOAT1(acosh, __builtin_acoshf(x))
MSL_FLOAT1(asin, __builtin_asinf(x))
MSL_FLOAT1(asinh, __builtin_asinhf(x))
MSL_FLOAT1(atan, __builtin_atanf(x))
MSL_FLOAT1(atanh, __builtin_atanhf(x))
MSL_FLOAT1(ceil, __builtin_ceilf(x))
MSL_FLOAT1(cos, __builtin_cosf(x))
MSL_FLOAT1(cosh, __builtin_coshf(x))
MSL_FLOAT1(cospi, detail::cosine_of_pi(x))
MSL_FLOAT1(exp, __builtin_expf(x))
MSL_FLOAT1(exp2, __builtin_exp2f(x))
MSL_FLOAT1(exp10, static_cast<float>(__builtin_exp2(3.32192809488736234787 * static_cast<double>(x))))
MSL_FLOAT1(fabs, __builtin_fabsf(x))
MSL_FLOAT1(floor, __builtin_floorf(x))
MSL_FLOAT1(fract, detail::fraction(x))
MSL_FLOAT1(log, __builtin_logf(x))
MSL_FLOAT1(log2, __builtin_log2f(x))
MSL_FLOAT1(log10, __builtin_log10f(x))
MSL_FLOAT1(rint, __builtin_rintf(x))
MSL_FLOAT1(round, __builtin_roundf(x))
MSL_FLOAT1(rsqrt, static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x))))
MSL_FLOAT1(saturate, __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f))
MSL_FLOAT1(sin, __builtin_sinf(x))
MSL_FLOAT1(sinh, __builtin_sinhf(x))
MSL_FLOAT1(sinpi, detail::sine_of_pi(x))
MSL_FLOAT1(sqrt, __builtin_sqrtf(x))
MSL_FLOAT1(tan, __builtin_tanf(x))
MSL_FLOAT1(tanh, __builtin_tanhf(x))
MSL_FLOAT1(tanpi, detail::sine_of_pi(x) / detail::cosine_of_pi(x))
MSL_FLOAT1(trunc, __builtin_truncf(x))
MSL_FLOAT2(atan2, __builtin_atan2f(x, y))
MSL_FLOAT2(copysign, __builtin_copysignf(x, y))
MSL_FLOAT2(divide, x / y)
MSL_FLOAT2(fdim, __builtin_fdimf(x, y))
MSL_FLOAT2(fmax, __builtin_fmaxf(x, y))
MSL_FLOAT2(fmin, __builtin_fminf(x, y))
MSL_FLOAT2(fmod, __builtin_fmodf(x, y))
MSL_FLOAT2(nextafter, __builtin_nextafterf(x, y))
MSL_FLOAT2(pow, __builtin_powf(x, y))
MSL_FLOAT2(powr, __builtin_powf(x, y))
MSL_FLOAT2(step, y < x ? 0.0f : 1.0f)
inline float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
template <_Narrow T>
inline T fma(T x, T y, T z) {
    return T(numeric::narrow_fma(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)));
}
template <class A, class B, class C>
    requires detail::AnyVector<A, B, C>
inline auto fma(const A& a, const B& b, const C& c) {
    return detail::floats([](auto x, auto y, auto z) { return fma(x, y, z); }, a, b, c);
}
MSL_FLOAT3(fmax3, __builtin_fmaxf(x, __builtin_fmaxf(y, z)))
MSL_FLOAT3(fmin3, __builtin_fminf(x, __builtin_fminf(y, z)))
MSL_FLOAT3(fmedian3, detail::middle(x, y, z))
MSL_FLOAT3(mix, x + (y - x) * z)
MSL_FLOAT3(smoothstep, detail::smooth(x, y, z))

// sign is also the integers' in some texts; Metal has it for floats.
MSL_FLOAT1(sign, detail::sign_of(x))

template <_Scalar T>
inline T sincos(T x, T& cosine) {
    cosine = cos(x);
    return sin(x);
}
template <class T, int N>
inline vec<T, N> sincos(const vec<T, N>& x, vec<T, N>& cosine) {
    cosine = cos(x);
    return sin(x);
}
inline float modf(float x, float& whole) { return __builtin_modff(x, &whole); }
inline half modf(half x, half& whole) {
    float part;
    const half rest = half(__builtin_modff(x, &part));
    whole = half(part);
    return rest;
}
inline float frexp(float x, int& exponent) { return __builtin_frexpf(x, &exponent); }
template <_Narrow T>
inline T frexp(T x, int& exponent) {
    return T(__builtin_frexpf(x, &exponent));
}
inline float ldexp(float x, int exponent) { return __builtin_ldexpf(x, exponent); }
template <_Narrow T>
inline T ldexp(T x, int exponent) {
    return T(__builtin_ldexpf(x, exponent));
}
inline int ilogb(float x) { return __builtin_ilogbf(x); }
inline float nan(uint) { return __builtin_nanf(""); }

// Relational functions.
#define MSL_TEST(name, expression)                                               \
    template <_Floating T>                                                        \
    inline bool name(T value) {                                                  \
        const float x = static_cast<float>(value);                               \
        return expression;                                                       \
    }                                                                            \
    template <_Vector A>                                                          \
    inline auto name(const A& a) {                                               \
        return detail::map<bool, detail::lanes<A>>([](auto x) { return name(x); }, a); \
    }
MSL_TEST(isnan, x != x)
MSL_TEST(isinf, __builtin_isinf(x) != 0)
MSL_TEST(isfinite, __builtin_isfinite(x))
MSL_TEST(isnormal, __builtin_isnormal(x))
MSL_TEST(signbit, __builtin_signbit(x) != 0)
#undef MSL_TEST
inline bool isunordered(float x, float y) { return x != x || y != y; }
inline bool isordered(float x, float y) { return x == x && y == y; }
inline bool all(bool x) { return x; }
inline bool any(bool x) { return x; }
template <_Vector V>
inline bool all(const V& v) {
    bool result = true;
    for (int i = 0; i < detail::lanes<V>; ++i) result = result && detail::at(v, i);
    return result;
}
template <_Vector V>
inline bool any(const V& v) {
    bool result = false;
    for (int i = 0; i < detail::lanes<V>; ++i) result = result || detail::at(v, i);
    return result;
}
template <_Scalar T>
constexpr T select(T otherwise, T chosen, bool choose) {
    return choose ? chosen : otherwise;
}
template <class A, class B, class C>
    requires detail::AnyVector<A, B> && _Part<C>
constexpr auto select(const A& otherwise, const B& chosen, const C& choose) {
    using V = detail::among<A, B>;
    using T = detail::element<V>;
    return detail::map<T, detail::lanes<V>>([](T x, T y, auto c) { return c ? y : x; }, detail::as<T>(otherwise),
                                            detail::as<T>(chosen), choose);
}

// Geometry.
template <_Vector A, _Vector B>
inline auto dot(const A& a, const B& b) {
    using T = detail::element<A>;
    T sum = detail::at(a, 0) * detail::at(b, 0);
    for (int i = 1; i < detail::lanes<A>; ++i) sum = T(sum + T(detail::at(a, i) * detail::at(b, i)));
    return sum;
}
template <_Vector A, _Vector B>
inline auto cross(const A& left, const B& right) {
    const vec_of<A> a = left, b = right;
    return vec_of<A>(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
template <_Vector A>
inline auto length_squared(const A& a) {
    return dot(a, a);
}
template <_Vector A>
inline auto length(const A& a) {
    return sqrt(dot(a, a));
}
template <_Vector A, _Vector B>
inline auto distance(const A& a, const B& b) {
    return length(a - b);
}
template <_Vector A, _Vector B>
inline auto distance_squared(const A& a, const B& b) {
    return length_squared(a - b);
}
template <_Vector A>
inline auto normalize(const A& a) {
    return a * rsqrt(dot(a, a));
}
template <_Vector A, _Vector B>
inline auto reflect(const A& incident, const B& normal) {
    return incident - normal * (dot(normal, incident) * detail::element<A>(2));
}

}  // namespace metal
