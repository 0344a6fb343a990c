// half and bfloat: 16 bits in memory, every operation rounded to 16 bits as the hardware does. Mixed with
// float they become float; with integers they stay.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../numeric.h"

namespace metal {

template <class From, class To>
concept _PlainConvertible = std::is_arithmetic_v<From> && std::is_arithmetic_v<To>;

struct bfloat;

struct half {
    std::uint16_t bits;

    half() = default;
    template <class T>
        requires std::is_arithmetic_v<T>
    constexpr half(T value) : bits(numeric::float_to_half(static_cast<float>(value))) {}
    explicit constexpr half(bfloat value);
    constexpr operator float() const { return numeric::half_to_float(bits); }
    static constexpr half from_bits(std::uint16_t bits) { return __builtin_bit_cast(half, bits); }
};

struct bfloat {
    std::uint16_t bits;

    bfloat() = default;
    template <class T>
        requires std::is_arithmetic_v<T>
    constexpr bfloat(T value) : bits(numeric::float_to_bfloat(static_cast<float>(value))) {}
    explicit constexpr bfloat(half value) : bits(numeric::float_to_bfloat(static_cast<float>(value))) {}
    constexpr operator float() const { return numeric::bfloat_to_float(bits); }
    static constexpr bfloat from_bits(std::uint16_t bits) { return __builtin_bit_cast(bfloat, bits); }
};

constexpr half::half(bfloat value) : bits(numeric::float_to_half(static_cast<float>(value))) {}

template <class T>
concept _Narrow = std::is_same_v<T, half> || std::is_same_v<T, bfloat>;
template <class T>
concept _Integer = std::is_integral_v<T>;
template <class T>
concept _Floating = std::is_floating_point_v<T> || _Narrow<T>;
template <class T>
concept _Scalar = std::is_arithmetic_v<T> || _Narrow<T>;

namespace detail {
// What an operation on a 16-bit float and another scalar gives; float if they are different floats.
template <class A, class B>
struct mixed {
    using type = float;
};
template <_Narrow A>
struct mixed<A, A> {
    using type = A;
};
template <_Narrow A, _Integer B>
struct mixed<A, B> {
    using type = A;
};
template <_Integer A, _Narrow B>
struct mixed<A, B> {
    using type = B;
};
template <class A, class B>
using mixed_t = typename mixed<A, B>::type;

// The value an operand enters the operation with: integers are first made the 16-bit float.
template <class R, class T>
constexpr float operand(T value) {
    return static_cast<float>(static_cast<R>(value));
}
}  // namespace detail

#define MSL_NARROW(op)                                                                       \
    template <_Scalar A, _Scalar B>                                                            \
        requires(_Narrow<A> || _Narrow<B>)                                                     \
    constexpr auto operator op(A a, B b) {                                                   \
        using R = detail::mixed_t<A, B>;                                                     \
        return R(detail::operand<R>(a) op detail::operand<R>(b));                            \
    }                                                                                        \
    template <_Scalar A, _Scalar B>                                                            \
        requires(_Narrow<A> || _Narrow<B>)                                                     \
    constexpr A& operator op##=(A& a, B b) {                                                 \
        return a = static_cast<A>(a op b);                                                   \
    }
MSL_NARROW(+)
MSL_NARROW(-)
MSL_NARROW(*)
MSL_NARROW(/)
#undef MSL_NARROW

#define MSL_NARROW(op)                                                \
    template <_Scalar A, _Scalar B>                                     \
        requires(_Narrow<A> || _Narrow<B>)                              \
    constexpr bool operator op(A a, B b) {                            \
        using R = detail::mixed_t<A, B>;                              \
        return detail::operand<R>(a) op detail::operand<R>(b);        \
    }
MSL_NARROW(==)
MSL_NARROW(!=)
MSL_NARROW(<)
MSL_NARROW(>)
MSL_NARROW(<=)
MSL_NARROW(>=)
#undef MSL_NARROW

template <_Narrow T>
constexpr T operator-(T a) {
    return T::from_bits(std::uint16_t(a.bits ^ 0x8000u));
}
template <_Narrow T>
constexpr T operator+(T a) {
    return a;
}
template <_Narrow T>
constexpr T& operator++(T& a) {
    return a += 1;
}
template <_Narrow T>
constexpr T& operator--(T& a) {
    return a -= 1;
}
template <_Narrow T>
constexpr T operator++(T& a, int) {
    const T before = a;
    a += 1;
    return before;
}
template <_Narrow T>
constexpr T operator--(T& a, int) {
    const T before = a;
    a -= 1;
    return before;
}

}  // namespace metal

using metal::bfloat;
using metal::half;
using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;
using std::ptrdiff_t;
using std::size_t;
