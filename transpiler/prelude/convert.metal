// Conversions with CUDA's rounding and saturation. PTX cvt: out of range saturates; NaN becomes 0 in 8, 16 and 32
// bits and the lowest signed number in 64.
namespace cu {

// A float that is an integer already, as int, uint, long, ulong, short, ushort, char, uchar.
inline int saturate_int(float x) {
    if (x != x) return 0;
    if (x >= 2147483648.0f) return 2147483647;
    return x <= -2147483648.0f ? as_type<int>(0x80000000u) : int(x);
}
inline uint saturate_uint(float x) {
    if (!(x > 0.0f)) return 0u;
    return x >= 4294967296.0f ? 0xffffffffu : uint(x);
}
inline long saturate_long(float x) {
    if (x >= 9223372036854775808.0f) return 0x7fffffffffffffffl;
    return !(x > -9223372036854775808.0f) ? as_type<long>(uint2(0u, 0x80000000u)) : long(x);
}
inline ulong saturate_ulong(float x) {
    if (x != x) return 0x8000000000000000ul;
    if (x <= 0.0f) return 0ul;
    return x >= 18446744073709551616.0f ? 0xfffffffffffffffful : ulong(x);
}
inline short saturate_short(float x) {
    return short(metal::clamp(saturate_int(x), -32768, 32767));
}
inline ushort saturate_ushort(float x) {
    return ushort(metal::min(saturate_uint(x), 65535u));
}
inline char saturate_char(float x) {
    return char(metal::clamp(saturate_int(x), -128, 127));
}
inline uchar saturate_uchar(float x) {
    return uchar(metal::min(saturate_uint(x), 255u));
}

// __saturatef: clamped to 0 ... 1, NaN becomes 0.
inline float saturatef(float x) {
    return x > 0.0f ? metal::min(x, 1.0f) : 0.0f;
}

// __float2int_rn, _rz, _ru, _rd
inline int float2int_rn(float x) {
    return saturate_int(metal::rint(x));
}
inline int float2int_rz(float x) {
    return saturate_int(metal::trunc(x));
}
inline int float2int_ru(float x) {
    return saturate_int(metal::ceil(x));
}
inline int float2int_rd(float x) {
    return saturate_int(metal::floor(x));
}

// __float2uint_rn, _rz, _ru, _rd
inline uint float2uint_rn(float x) {
    return saturate_uint(metal::rint(x));
}
inline uint float2uint_rz(float x) {
    return saturate_uint(metal::trunc(x));
}
inline uint float2uint_ru(float x) {
    return saturate_uint(metal::ceil(x));
}
inline uint float2uint_rd(float x) {
    return saturate_uint(metal::floor(x));
}

// __float2ll_rn, _rz, _ru, _rd
inline long float2ll_rn(float x) {
    return saturate_long(metal::rint(x));
}
inline long float2ll_rz(float x) {
    return saturate_long(metal::trunc(x));
}
inline long float2ll_ru(float x) {
    return saturate_long(metal::ceil(x));
}
inline long float2ll_rd(float x) {
    return saturate_long(metal::floor(x));
}

// __float2ull_rn, _rz, _ru, _rd
inline ulong float2ull_rn(float x) {
    return saturate_ulong(metal::rint(x));
}
inline ulong float2ull_rz(float x) {
    return saturate_ulong(metal::trunc(x));
}
inline ulong float2ull_ru(float x) {
    return saturate_ulong(metal::ceil(x));
}
inline ulong float2ull_rd(float x) {
    return saturate_ulong(metal::floor(x));
}

// __float2short_rn, _rz, _ru, _rd
inline short float2short_rn(float x) {
    return saturate_short(metal::rint(x));
}
inline short float2short_rz(float x) {
    return saturate_short(metal::trunc(x));
}
inline short float2short_ru(float x) {
    return saturate_short(metal::ceil(x));
}
inline short float2short_rd(float x) {
    return saturate_short(metal::floor(x));
}

// __float2ushort_rn, _rz, _ru, _rd
inline ushort float2ushort_rn(float x) {
    return saturate_ushort(metal::rint(x));
}
inline ushort float2ushort_rz(float x) {
    return saturate_ushort(metal::trunc(x));
}
inline ushort float2ushort_ru(float x) {
    return saturate_ushort(metal::ceil(x));
}
inline ushort float2ushort_rd(float x) {
    return saturate_ushort(metal::floor(x));
}

// __half2char_rz
inline char float2char_rz(float x) {
    return saturate_char(metal::trunc(x));
}
// __half2uchar_rz
inline uchar float2uchar_rz(float x) {
    return saturate_uchar(metal::trunc(x));
}

}  // namespace cu
