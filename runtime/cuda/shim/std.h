// The part of <cstdint>, <type_traits> and <utility> that the Metal headers use: NVRTC brings no C++ library.
#pragma once

using nullptr_t = decltype(nullptr);  // a global name in Metal

namespace std {

using size_t = decltype(sizeof 0);
using ptrdiff_t = long;
using int8_t = signed char;
using int16_t = short;
using int32_t = int;
using int64_t = long;
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned int;
using uint64_t = unsigned long;

template <class T, T Value>
struct integral_constant {
    static constexpr T value = Value;
    using value_type = T;
    using type = integral_constant;
    constexpr operator T() const { return Value; }
};
template <bool B>
using bool_constant = integral_constant<bool, B>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;

template <class T>
struct type_identity {
    using type = T;
};
template <class T>
using type_identity_t = typename type_identity<T>::type;

template <bool B, class A, class C>
struct conditional : type_identity<A> {};
template <class A, class C>
struct conditional<false, A, C> : type_identity<C> {};
template <bool B, class T = void>
struct enable_if {};
template <class T>
struct enable_if<true, T> : type_identity<T> {};

#define STD_REMOVE(name, from)                \
    template <class T>                        \
    struct name : type_identity<T> {};        \
    template <class T>                        \
    struct name<from> : type_identity<T> {};
STD_REMOVE(remove_const, const T)
STD_REMOVE(remove_volatile, volatile T)
STD_REMOVE(remove_pointer, T*)
template <class T>
struct remove_pointer<T* const> : type_identity<T> {};
STD_REMOVE(remove_reference, T&)
template <class T>
struct remove_reference<T&&> : type_identity<T> {};
#undef STD_REMOVE
template <class T>
struct remove_cv : remove_const<typename remove_volatile<T>::type> {};
template <class T>
struct remove_cvref : remove_cv<typename remove_reference<T>::type> {};
template <class T>
struct decay : remove_cvref<T> {};
template <class T, size_t N>
struct decay<T[N]> : type_identity<T*> {};
template <class T, size_t N>
struct decay<T (&)[N]> : type_identity<T*> {};
template <class T>
struct underlying_type : type_identity<__underlying_type(T)> {};

template <class A, class B>
inline constexpr bool is_same_v = false;
template <class A>
inline constexpr bool is_same_v<A, A> = true;
template <class T, class... A>
inline constexpr bool is_among_v = (is_same_v<typename remove_cv<T>::type, A> || ...);
template <class T>
inline constexpr bool is_integral_v = is_among_v<T, bool, char, signed char, unsigned char, short, unsigned short, int,
                                                 unsigned, long, unsigned long, long long, unsigned long long,
                                                 wchar_t, char16_t, char32_t>;
template <class T>
inline constexpr bool is_floating_point_v = is_among_v<T, float, double>;
template <class T>
inline constexpr bool is_arithmetic_v = is_integral_v<T> || is_floating_point_v<T>;
template <class T>
inline constexpr bool is_void_v = is_among_v<T, void>;
template <class T>
inline constexpr bool is_const_v = !is_same_v<T, typename remove_const<T>::type>;
template <class T>
inline constexpr bool is_pointer_v = !is_same_v<typename remove_cv<T>::type, typename remove_pointer<typename remove_cv<T>::type>::type>;
template <class T>
inline constexpr bool is_reference_v = !is_same_v<T, typename remove_reference<T>::type>;
template <class T>
inline constexpr bool is_enum_v = __is_enum(T);
template <class T>
inline constexpr bool is_trivially_copyable_v = __is_trivially_copyable(T);
template <class A, class B>
inline constexpr bool is_convertible_v = __is_convertible_to(A, B);
template <class T>
inline constexpr bool is_scalar_v = is_arithmetic_v<T> || is_pointer_v<T> || is_enum_v<T>;
template <class T, bool = is_arithmetic_v<T>>
inline constexpr bool is_signed_v = false;
template <class T>
inline constexpr bool is_signed_v<T, true> = T(-1) < T(0);
template <class T>
inline constexpr bool is_unsigned_v = is_integral_v<T> && !is_signed_v<T>;

#define STD_TRAIT(name)  \
    template <class... T> \
    struct name : bool_constant<name##_v<T...>> {};
STD_TRAIT(is_same)
STD_TRAIT(is_integral)
STD_TRAIT(is_floating_point)
STD_TRAIT(is_void)
STD_TRAIT(is_const)
STD_TRAIT(is_pointer)
STD_TRAIT(is_reference)
STD_TRAIT(is_enum)
STD_TRAIT(is_trivially_copyable)
STD_TRAIT(is_convertible)
STD_TRAIT(is_unsigned)
#undef STD_TRAIT

namespace detail {
template <size_t Size, bool Signed>
struct integer;
#define STD_INTEGER(size, name)                              \
    template <>                                              \
    struct integer<size, true> : type_identity<name> {};     \
    template <>                                              \
    struct integer<size, false> : type_identity<unsigned name> {};
STD_INTEGER(2, short)
STD_INTEGER(4, int)
STD_INTEGER(8, long)
#undef STD_INTEGER
template <>
struct integer<1, true> : type_identity<signed char> {};
template <>
struct integer<1, false> : type_identity<unsigned char> {};
}  // namespace detail
template <class T>
struct make_signed : detail::integer<sizeof(T), true> {};
template <class T>
struct make_unsigned : detail::integer<sizeof(T), false> {};

#define STD_ALIAS(name)      \
    template <class T>       \
    using name##_t = typename name<T>::type;
STD_ALIAS(remove_const)
STD_ALIAS(remove_volatile)
STD_ALIAS(remove_cv)
STD_ALIAS(remove_cvref)
STD_ALIAS(remove_pointer)
STD_ALIAS(remove_reference)
STD_ALIAS(decay)
STD_ALIAS(underlying_type)
STD_ALIAS(make_signed)
STD_ALIAS(make_unsigned)
#undef STD_ALIAS
template <bool B, class A, class C>
using conditional_t = typename conditional<B, A, C>::type;
template <bool B, class T = void>
using enable_if_t = typename enable_if<B, T>::type;

template <class T>
T&& declval() noexcept;

}  // namespace std

using std::int16_t;
using std::int32_t;
using std::int64_t;
using std::int8_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
using std::uint8_t;
