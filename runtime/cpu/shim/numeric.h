// Conversions of the 16-bit floats, rounding to nearest even as the hardware does. Bits only: each shim
// builds its own types on them.
#pragma once
#include <cstdint>

namespace numeric {

constexpr std::uint32_t bits_of(float value) { return __builtin_bit_cast(std::uint32_t, value); }
constexpr float float_of(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }

namespace portable {

constexpr float half_to_float(std::uint16_t half) {
    const std::uint32_t sign = std::uint32_t(half & 0x8000u) << 16;
    const std::uint32_t magnitude = half & 0x7fffu;
    if (magnitude >= 0x7c00u) return float_of(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
    if (magnitude < 0x400u) {  // subnormal: an integer multiple of 2^-24
        const float value = float(magnitude) * 0x1p-24f;
        return sign ? -value : value;
    }
    return float_of(sign | ((magnitude << 13) + (112u << 23)));
}

constexpr std::uint16_t float_to_half(float value) {
    const std::uint32_t bits = bits_of(value);
    const std::uint16_t sign = std::uint16_t(bits >> 16 & 0x8000u);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return std::uint16_t(sign | 0x7e00u | (magnitude >> 13 & 0x1ffu));
    if (magnitude >= 0x477ff000u) return std::uint16_t(sign | 0x7c00u);  // 65520 and more
    if (magnitude < 0x38800000u) {  // result subnormal: adding 0.5 rounds at 2^-24
        const float shifted = float_of(magnitude) + 0.5f;
        return std::uint16_t(sign | (bits_of(shifted) - 0x3f000000u));
    }
    const std::uint32_t rounded = magnitude + 0xfffu + (magnitude >> 13 & 1u) - (112u << 23);
    return std::uint16_t(sign | rounded >> 13);
}

}  // namespace portable

#if defined(__F16C__)
// By name: the header of the intrinsics takes longer to read than a kernel.
using Floats [[gnu::vector_size(16)]] = float;
using Halves [[gnu::vector_size(16)]] = std::uint16_t;

inline float hardware_half_to_float(std::uint16_t half) {
    const Halves from = {half};
    Floats to;
    asm("vcvtph2ps %1, %0" : "=x"(to) : "x"(from));
    return to[0];
}
inline std::uint16_t hardware_float_to_half(float value) {
    const Floats from = {value};
    Halves to;
    asm("vcvtps2ph $0, %1, %0" : "=x"(to) : "x"(from));
    return to[0];
}
#endif

constexpr float half_to_float(std::uint16_t half) {
    if (__builtin_is_constant_evaluated()) return portable::half_to_float(half);
#if defined(__F16C__)
    return hardware_half_to_float(half);
#elif defined(__aarch64__)
    return __builtin_bit_cast(__fp16, half);
#else
    return portable::half_to_float(half);
#endif
}

constexpr std::uint16_t float_to_half(float value) {
    if (__builtin_is_constant_evaluated()) return portable::float_to_half(value);
#if defined(__F16C__)
    return hardware_float_to_half(value);
#elif defined(__aarch64__)
    return __builtin_bit_cast(std::uint16_t, static_cast<__fp16>(value));
#else
    return portable::float_to_half(value);
#endif
}

// a * b + c of values of a 16-bit float, rounded to odd: rounding that to 16 bits is as if done once from the
// exact sum. The product is exact in double.
inline float narrow_fma(float a, float b, float c) {
    const double product = double(a) * double(b), sum = product + double(c);
    const float rounded = float(sum);
    if (!(sum - sum == 0.0)) return rounded;  // infinite or NaN
    const double part = sum - product, rest = (product - (sum - part)) + (double(c) - part);
    const double missing = (sum - double(rounded)) + rest;
    const std::uint32_t bits = bits_of(rounded);
    if (missing == 0.0 || (bits & 1u)) return rounded;
    return float_of((missing > 0.0) == (sum > 0.0) ? bits + 1u : bits - 1u);
}

constexpr float bfloat_to_float(std::uint16_t bits) { return float_of(std::uint32_t(bits) << 16); }

constexpr std::uint16_t float_to_bfloat(float value) {
    const std::uint32_t bits = bits_of(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return std::uint16_t(bits >> 16 | 0x40u);
    return std::uint16_t((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

}  // namespace numeric
