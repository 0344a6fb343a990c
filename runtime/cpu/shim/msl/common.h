// Functions of integers, and min, max, clamp, abs of every type.
#pragma once
#include "math.h"

namespace metal {

// A function of equal scalars and of vectors of them. Mixed scalar types find nothing, as in Metal.
#define MSL_SAME1(name, concept_, expression)                                              \
    template <concept_ T>                                                                  \
    constexpr T name(T x) {                                                                \
        return expression;                                                                 \
    }                                                                                      \
    template <_Vector A>                                                                    \
    constexpr auto name(const A& a) {                                                      \
        return detail::floats([](auto x) { return name(x); }, a);                          \
    }
#define MSL_SAME2(name, concept_, expression)                                              \
    template <concept_ T>                                                                  \
    constexpr T name(T x, T y) {                                                           \
        return expression;                                                                 \
    }                                                                                      \
    template <class A, class B>                                                            \
        requires detail::AnyVector<A, B>                                                   \
    constexpr auto name(const A& a, const B& b) {                                          \
        return detail::floats([](auto x, auto y) { return name(x, y); }, a, b);            \
    }
#define MSL_SAME3(name, concept_, expression)                                              \
    template <concept_ T>                                                                  \
    constexpr T name(T x, T y, T z) {                                                      \
        return expression;                                                                 \
    }                                                                                      \
    template <class A, class B, class C>                                                   \
        requires detail::AnyVector<A, B, C>                                                \
    constexpr auto name(const A& a, const B& b, const C& c) {                              \
        return detail::floats([](auto x, auto y, auto z) { return name(x, y, z); }, a, b, c); \
    }

namespace detail {
template <class T>
constexpr T magnitude(T x) {
    if constexpr (_Floating<T>) {
        return fabs(x);
    } else {
        return x < T(0) ? T(-x) : x;
    }
}
// Of a NaN and a number the number, as fmin and fmax.
template <class T>
constexpr T smaller(T x, T y) {
    if constexpr (_Floating<T>) {
        return x != x ? y : y < x ? y : x;
    } else {
        return y < x ? y : x;
    }
}
template <class T>
constexpr T larger(T x, T y) {
    if constexpr (_Floating<T>) {
        return x != x ? y : x < y ? y : x;
    } else {
        return x < y ? y : x;
    }
}
template <class T>
using unsigned_of = std::make_unsigned_t<T>;
template <_Integer T>
inline constexpr int width = int(sizeof(T)) * 8;

template <_Integer T>
constexpr T count_leading(T x) {
    const auto bits = static_cast<unsigned_of<T>>(x);
    if (!bits) return T(width<T>);
    if constexpr (sizeof(T) == 8) return T(__builtin_clzll(bits));
    return T(__builtin_clz(bits) - (32 - width<T>));
}
template <_Integer T>
constexpr T count_trailing(T x) {
    const auto bits = static_cast<unsigned_of<T>>(x);
    return bits ? T(__builtin_ctzll(bits)) : T(width<T>);
}
template <_Integer T>
constexpr T reversed(T x) {
    auto from = static_cast<unsigned_of<T>>(x);
    unsigned_of<T> to = 0;
    for (int i = 0; i < width<T>; ++i) {
        to = static_cast<unsigned_of<T>>(to << 1 | (from & 1));
        from = static_cast<unsigned_of<T>>(from >> 1);
    }
    return static_cast<T>(to);
}
template <_Integer T>
constexpr T high_product(T x, T y) {
    if constexpr (std::is_signed_v<T>) {
        return static_cast<T>(static_cast<__int128>(x) * y >> width<T>);
    } else {
        return static_cast<T>(static_cast<unsigned __int128>(x) * y >> width<T>);
    }
}
template <_Integer T>
constexpr T saturated(__int128 x) {
    if (x > numeric_limits<T>::max()) return numeric_limits<T>::max();
    return x < numeric_limits<T>::min() ? numeric_limits<T>::min() : static_cast<T>(x);
}
template <_Integer T>
constexpr T rotated(T x, T by) {
    const int n = int(by & T(width<T> - 1));
    const auto bits = static_cast<unsigned_of<T>>(x);
    return n ? static_cast<T>(static_cast<unsigned_of<T>>(bits << n) | bits >> (width<T> - n)) : x;
}
}  // namespace detail

MSL_SAME1(abs, _Scalar, detail::magnitude(x))
MSL_SAME2(min, _Scalar, detail::smaller(x, y))
MSL_SAME2(max, _Scalar, detail::larger(x, y))
MSL_SAME3(clamp, _Scalar, detail::smaller(detail::larger(x, y), z))
MSL_SAME3(min3, _Scalar, detail::smaller(x, detail::smaller(y, z)))
MSL_SAME3(max3, _Scalar, detail::larger(x, detail::larger(y, z)))
MSL_SAME3(median3, _Scalar, detail::larger(detail::smaller(x, y), detail::smaller(detail::larger(x, y), z)))

MSL_SAME1(popcount, _Integer, T(__builtin_popcountll(static_cast<detail::unsigned_of<T>>(x))))
MSL_SAME1(clz, _Integer, detail::count_leading(x))
MSL_SAME1(ctz, _Integer, detail::count_trailing(x))
MSL_SAME1(reverse_bits, _Integer, detail::reversed(x))
MSL_SAME2(mulhi, _Integer, detail::high_product(x, y))
MSL_SAME2(mul24, _Integer, T((x << 8 >> 8) * (y << 8 >> 8)))
MSL_SAME2(rotate, _Integer, detail::rotated(x, y))
MSL_SAME2(addsat, _Integer, detail::saturated<T>(static_cast<__int128>(x) + y))
MSL_SAME2(subsat, _Integer, detail::saturated<T>(static_cast<__int128>(x) - y))
MSL_SAME2(hadd, _Integer, static_cast<T>(static_cast<__int128>(x) + y >> 1))
MSL_SAME2(rhadd, _Integer, static_cast<T>(static_cast<__int128>(x) + y + 1 >> 1))
MSL_SAME3(mad24, _Integer, T(mul24(x, y) + z))
MSL_SAME3(madhi, _Integer, T(detail::high_product(x, y) + z))
MSL_SAME3(madsat, _Integer, detail::saturated<T>(static_cast<__int128>(x) * y + z))

template <_Integer T>
constexpr detail::unsigned_of<T> absdiff(T x, T y) {
    return static_cast<detail::unsigned_of<T>>(x > y ? static_cast<__int128>(x) - y : static_cast<__int128>(y) - x);
}
template <_Integer T>
constexpr T extract_bits(T x, uint offset, uint bits) {
    if (bits == 0) return T(0);
    const int left = detail::width<T> - int(bits);
    return static_cast<T>(static_cast<T>(static_cast<detail::unsigned_of<T>>(x) << (left - int(offset))) >> left);
}
template <_Integer T>
constexpr T insert_bits(T base, T insert, uint offset, uint bits) {
    const auto ones = bits >= uint(detail::width<T>) ? ~std::uint64_t(0) : (std::uint64_t(1) << bits) - 1;
    const auto mask = static_cast<detail::unsigned_of<T>>(ones << offset);
    return static_cast<T>((static_cast<detail::unsigned_of<T>>(base) & ~mask) |
                          (static_cast<detail::unsigned_of<T>>(static_cast<detail::unsigned_of<T>>(insert) << offset) & mask));
}

template <class T>
constexpr void swap(T& a, T& b) {
    const T held = a;
    a = b;
    b = held;
}

#undef MSL_FLOAT1
#undef MSL_FLOAT2
#undef MSL_FLOAT3
#undef MSL_SAME1
#undef MSL_SAME2
#undef MSL_SAME3

// fast:: and precise:: name the same functions: declared in each, so that a text may add overloads of its own.
#define MSL_BOTH(name)       \
    namespace fast {         \
    using metal::name;       \
    }                        \
    namespace precise {      \
    using metal::name;       \
    }
MSL_BOTH(acos)
MSL_BOTH(acosh)
MSL_BOTH(asin)
MSL_BOTH(asinh)
MSL_BOTH(atan)
MSL_BOTH(atanh)
MSL_BOTH(ceil)
MSL_BOTH(cos)
MSL_BOTH(cosh)
MSL_BOTH(cospi)
MSL_BOTH(exp)
MSL_BOTH(exp2)
MSL_BOTH(exp10)
MSL_BOTH(fabs)
MSL_BOTH(floor)
MSL_BOTH(fract)
MSL_BOTH(log)
MSL_BOTH(log2)
MSL_BOTH(log10)
MSL_BOTH(rint)
MSL_BOTH(round)
MSL_BOTH(rsqrt)
MSL_BOTH(saturate)
MSL_BOTH(sin)
MSL_BOTH(sinh)
MSL_BOTH(sinpi)
MSL_BOTH(sqrt)
MSL_BOTH(tan)
MSL_BOTH(tanh)
MSL_BOTH(tanpi)
MSL_BOTH(trunc)
MSL_BOTH(atan2)
MSL_BOTH(copysign)
MSL_BOTH(divide)
MSL_BOTH(fdim)
MSL_BOTH(fmax)
MSL_BOTH(fmin)
MSL_BOTH(fmod)
MSL_BOTH(nextafter)
MSL_BOTH(pow)
MSL_BOTH(powr)
MSL_BOTH(step)
MSL_BOTH(fma)
MSL_BOTH(fmax3)
MSL_BOTH(fmin3)
MSL_BOTH(fmedian3)
MSL_BOTH(mix)
MSL_BOTH(smoothstep)
MSL_BOTH(sign)
MSL_BOTH(sincos)
MSL_BOTH(modf)
MSL_BOTH(frexp)
MSL_BOTH(ldexp)
MSL_BOTH(length)
MSL_BOTH(distance)
MSL_BOTH(normalize)
MSL_BOTH(abs)
MSL_BOTH(min)
MSL_BOTH(max)
MSL_BOTH(clamp)
MSL_BOTH(min3)
MSL_BOTH(max3)
MSL_BOTH(median3)
MSL_BOTH(dot)
#undef MSL_BOTH

}  // namespace metal
