// Type traits and limits of metal_stdlib.
#pragma once
#include "vector.h"

namespace metal {

using std::conditional;
using std::conditional_t;
using std::decay;
using std::decay_t;
using std::declval;
using std::enable_if;
using std::enable_if_t;
using std::false_type;
using std::integral_constant;
using std::is_const;
using std::is_convertible;
using std::is_convertible_v;
using std::is_enum;
using std::is_integral;
using std::is_integral_v;
using std::is_pointer;
using std::is_pointer_v;
using std::is_reference;
using std::is_same;
using std::is_same_v;
using std::is_trivially_copyable;
using std::is_unsigned;
using std::is_unsigned_v;
using std::is_void;
using std::make_signed;
using std::make_signed_t;
using std::make_unsigned;
using std::make_unsigned_t;
using std::remove_const;
using std::remove_const_t;
using std::remove_cv;
using std::remove_cv_t;
using std::remove_pointer;
using std::remove_pointer_t;
using std::remove_reference;
using std::remove_reference_t;
using std::remove_volatile;
using std::true_type;
using std::underlying_type;
using std::underlying_type_t;
template <bool B>
using bool_constant = std::bool_constant<B>;

template <class T>
struct remove_addrspace {
    using type = T;
};
template <class T>
using remove_addrspace_t = std::remove_cv_t<T>;

template <class T>
struct is_floating_point : std::bool_constant<_Floating<std::remove_cv_t<T>>> {};
template <class T>
inline constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <class T>
struct is_arithmetic : std::bool_constant<_Scalar<std::remove_cv_t<T>>> {};
template <class T>
inline constexpr bool is_arithmetic_v = is_arithmetic<T>::value;
template <class T>
struct is_scalar : std::bool_constant<_Scalar<std::remove_cv_t<T>> || std::is_scalar_v<T>> {};
template <class T>
inline constexpr bool is_scalar_v = is_scalar<T>::value;
template <class T>
struct is_signed : std::bool_constant<std::is_signed_v<T> || _Narrow<std::remove_cv_t<T>>> {};
template <class T>
inline constexpr bool is_signed_v = is_signed<T>::value;
template <class T>
struct is_vector : std::bool_constant<_Vector<T>> {};
template <class T>
inline constexpr bool is_vector_v = is_vector<T>::value;

// The element type of a vector, and a vector of another size.
template <class V>
using vec_element_t = detail::element<V>;

template <class T>
struct numeric_limits {
    static constexpr bool is_specialized = false;
};
template <_Integer T>
struct numeric_limits<T> {
    static constexpr bool is_specialized = true, is_integer = true, is_signed = T(-1) < T(0);
    static constexpr int digits = int(sizeof(T)) * 8 - is_signed;
    static constexpr T max() { return is_signed ? T((std::uint64_t(1) << (sizeof(T) * 8 - 1)) - 1) : T(-1); }
    static constexpr T min() { return is_signed ? T(-max() - 1) : T(0); }
    static constexpr T lowest() { return min(); }
    static constexpr T infinity() { return T(0); }
    static constexpr T quiet_NaN() { return T(0); }
};
template <>
struct numeric_limits<bool> {
    static constexpr bool is_specialized = true, is_integer = true, is_signed = false;
    static constexpr int digits = 1;
    static constexpr bool max() { return true; }
    static constexpr bool min() { return false; }
    static constexpr bool lowest() { return false; }
};
template <>
struct numeric_limits<float> {
    static constexpr bool is_specialized = true, is_integer = false, is_signed = true;
    static constexpr int digits = 24;
    static constexpr float max() { return __FLT_MAX__; }
    static constexpr float min() { return __FLT_MIN__; }
    static constexpr float lowest() { return -__FLT_MAX__; }
    static constexpr float epsilon() { return __FLT_EPSILON__; }
    static constexpr float denorm_min() { return __FLT_DENORM_MIN__; }
    static constexpr float infinity() { return __builtin_huge_valf(); }
    static constexpr float quiet_NaN() { return __builtin_nanf(""); }
    static constexpr float signaling_NaN() { return __builtin_nansf(""); }
};
template <class T, std::uint16_t Max, std::uint16_t Min, std::uint16_t Epsilon, std::uint16_t Infinity, std::uint16_t Nan, int Digits>
struct narrow_limits {
    static constexpr bool is_specialized = true, is_integer = false, is_signed = true;
    static constexpr int digits = Digits;
    static constexpr T max() { return T::from_bits(Max); }
    static constexpr T min() { return T::from_bits(Min); }
    static constexpr T lowest() { return T::from_bits(Max | 0x8000); }
    static constexpr T epsilon() { return T::from_bits(Epsilon); }
    static constexpr T denorm_min() { return T::from_bits(1); }
    static constexpr T infinity() { return T::from_bits(Infinity); }
    static constexpr T quiet_NaN() { return T::from_bits(Nan); }
};
template <>
struct numeric_limits<half> : narrow_limits<half, 0x7bff, 0x0400, 0x1400, 0x7c00, 0x7e00, 11> {};
template <>
struct numeric_limits<bfloat> : narrow_limits<bfloat, 0x7f7f, 0x0080, 0x3c00, 0x7f80, 0x7fc0, 8> {};

// A value's bits as another type of the same size.
template <class To, class From>
constexpr To as_type(const From& from) {
    if constexpr (_Vector<From> && !std::is_same_v<From, vec_of<From>>) {
        return as_type<To>(vec_of<From>(from));
    } else {
        static_assert(sizeof(To) == sizeof(From), "as_type needs types of the same size");
        if constexpr (std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>) {
            return __builtin_bit_cast(To, from);
        } else {
            To to;
            __builtin_memcpy(static_cast<void*>(&to), static_cast<const void*>(&from), sizeof(To));
            return to;
        }
    }
}

// A value that is the same in all threads: here just the value.
template <class T>
using uniform = T;
template <class T>
constexpr T make_uniform(T value) {
    return value;
}

template <class T, std::size_t N>
struct array {
    T elements[N];
    constexpr T& operator[](std::size_t i) { return elements[i]; }
    constexpr const T& operator[](std::size_t i) const { return elements[i]; }
    constexpr std::size_t size() const { return N; }
    constexpr T* begin() { return elements; }
    constexpr T* end() { return elements + N; }
    constexpr const T* begin() const { return elements; }
    constexpr const T* end() const { return elements + N; }
};

}  // namespace metal

using metal::as_type;
#define INFINITY (__builtin_huge_valf())
#define NAN (__builtin_nanf(""))
#define HUGE_VALF (__builtin_huge_valf())
#define MAXFLOAT __FLT_MAX__
#define MAXHALF (metal::numeric_limits<half>::max())
#define FLT_MAX __FLT_MAX__
#define FLT_MIN __FLT_MIN__
#define FLT_EPSILON __FLT_EPSILON__
#define HALF_MAX (metal::numeric_limits<half>::max())
#define HALF_MIN (metal::numeric_limits<half>::min())
#define HALF_EPSILON (metal::numeric_limits<half>::epsilon())
#define CHAR_BIT 8
#define CHAR_MAX 127
#define CHAR_MIN (-128)
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX __INT_MAX__
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX (INT_MAX * 2u + 1u)
#define LONG_MAX __LONG_MAX__
#define LONG_MIN (-LONG_MAX - 1)
#define ULONG_MAX (LONG_MAX * 2ul + 1ul)
#define M_E_F 2.71828182845904523536f
#define M_LOG2E_F 1.44269504088896340736f
#define M_LOG10E_F 0.43429448190325182765f
#define M_LN2_F 0.69314718055994530942f
#define M_LN10_F 2.30258509299404568402f
#define M_PI_F 3.14159265358979323846f
#define M_PI_2_F 1.57079632679489661923f
#define M_PI_4_F 0.78539816339744830962f
#define M_1_PI_F 0.31830988618379067154f
#define M_2_PI_F 0.63661977236758134308f
#define M_2_SQRTPI_F 1.12837916709551257390f
#define M_SQRT2_F 1.41421356237309504880f
#define M_SQRT1_2_F 0.70710678118654752440f
