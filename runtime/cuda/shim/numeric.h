// Conversions of the 16-bit floats by the GPU's own instructions: bits in, bits out.
#pragma once
#include "std.h"

namespace numeric {

constexpr std::uint32_t bits_of(float value) { return __builtin_bit_cast(std::uint32_t, value); }
constexpr float float_of(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }

// While compiling no instruction runs, so constants are converted by hand.
namespace portable {
constexpr float half_to_float(std::uint16_t half) {
    const std::uint32_t sign = std::uint32_t(half & 0x8000u) << 16, magnitude = half & 0x7fffu;
    if (magnitude >= 0x7c00u) return float_of(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
    if (magnitude < 0x400u) return (sign ? -1.0f : 1.0f) * float(magnitude) * 0x1p-24f;
    return float_of(sign | ((magnitude << 13) + (112u << 23)));
}
constexpr std::uint16_t float_to_half(float value) {
    const std::uint32_t bits = bits_of(value), magnitude = bits & 0x7fffffffu;
    const std::uint16_t sign = std::uint16_t(bits >> 16 & 0x8000u);
    if (magnitude > 0x7f800000u) return std::uint16_t(sign | 0x7e00u);
    if (magnitude >= 0x477ff000u) return std::uint16_t(sign | 0x7c00u);
    if (magnitude < 0x38800000u) return std::uint16_t(sign | (bits_of(float_of(magnitude) + 0.5f) - 0x3f000000u));
    return std::uint16_t(sign | (magnitude + 0xfffu + (magnitude >> 13 & 1u) - (112u << 23)) >> 13);
}
constexpr std::uint16_t float_to_bfloat(float value) {
    const std::uint32_t bits = bits_of(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return std::uint16_t(bits >> 16 | 0x40u);
    return std::uint16_t((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
}  // namespace portable

inline float hardware_half_to_float(std::uint16_t half) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(half));
    return value;
}
inline std::uint16_t hardware_float_to_half(float value) {
    std::uint16_t half;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(value));
    return half;
}
inline std::uint16_t hardware_float_to_bfloat(float value) {
    std::uint16_t half;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(half) : "f"(value));
    return half;
}

constexpr float half_to_float(std::uint16_t half) {
    return __builtin_is_constant_evaluated() ? portable::half_to_float(half) : hardware_half_to_float(half);
}
constexpr std::uint16_t float_to_half(float value) {
    return __builtin_is_constant_evaluated() ? portable::float_to_half(value) : hardware_float_to_half(value);
}
constexpr float bfloat_to_float(std::uint16_t bits) { return float_of(std::uint32_t(bits) << 16); }
constexpr std::uint16_t float_to_bfloat(float value) {
    return __builtin_is_constant_evaluated() ? portable::float_to_bfloat(value) : hardware_float_to_bfloat(value);
}

}  // namespace numeric
