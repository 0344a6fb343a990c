// Integers to float, half and bfloat, rounded to nearest even (rn), to zero (rz), up (ru) or down (rd).
namespace cu {

// The float next to `magnitude`: below or equal, or above where `away` is set and it is no float itself.
inline float ulong2float_directed(ulong magnitude, bool away) {
    if (magnitude == 0ul) return 0.0f;
    uint high = uint(magnitude >> 32);
    uint zeros = high != 0u ? metal::clz(high) : 32u + metal::clz(uint(magnitude));
    ulong scaled = magnitude << zeros;
    uint bits = ((190u - zeros) << 23) + (uint(scaled >> 40) & 0x7fffffu);
    bool inexact = (scaled & 0xfffffffffful) != 0ul;
    return as_type<float>(bits + (away && inexact ? 1u : 0u));
}
inline float long2float_directed(long x, bool away) {
    float magnitude = ulong2float_directed(x < 0 ? 0ul - ulong(x) : ulong(x), away);
    return x < 0 ? -magnitude : magnitude;
}

// Truncated, with the last bit set where that lost something: rounding it once more, to fewer bits, is right.
inline float long2float_odd(long x) {
    float low = long2float_directed(x, false);
    float high = long2float_directed(x, true);
    return low == high ? low : as_type<float>(as_type<uint>(low) | 1u);
}
inline float ulong2float_odd(ulong x) {
    float low = ulong2float_directed(x, false);
    float high = ulong2float_directed(x, true);
    return low == high ? low : as_type<float>(as_type<uint>(low) | 1u);
}

// __int2float_rz, _ru, _rd
inline float int2float_rz(int x) {
    return long2float_directed(long(x), false);
}
inline float int2float_ru(int x) {
    return long2float_directed(long(x), x > 0);
}
inline float int2float_rd(int x) {
    return long2float_directed(long(x), x < 0);
}

// __ll2float_rz, _ru, _rd
inline float ll2float_rz(long x) {
    return long2float_directed(long(x), false);
}
inline float ll2float_ru(long x) {
    return long2float_directed(long(x), x > 0);
}
inline float ll2float_rd(long x) {
    return long2float_directed(long(x), x < 0);
}

// __uint2float_rz, _ru, _rd
inline float uint2float_rz(uint x) {
    return ulong2float_directed(ulong(x), false);
}
inline float uint2float_ru(uint x) {
    return ulong2float_directed(ulong(x), true);
}
inline float uint2float_rd(uint x) {
    return ulong2float_directed(ulong(x), false);
}

// __ull2float_rz, _ru, _rd
inline float ull2float_rz(ulong x) {
    return ulong2float_directed(ulong(x), false);
}
inline float ull2float_ru(ulong x) {
    return ulong2float_directed(ulong(x), true);
}
inline float ull2float_rd(ulong x) {
    return ulong2float_directed(ulong(x), false);
}

// __float2half_rz, _ru, _rd: the nearest half, moved one step where it lies on the wrong side.
inline half half_step(half h, bool larger) {
    ushort bits = as_type<ushort>(h);
    bool negative = (bits & 0x8000u) != 0u;
    if ((bits & 0x7fffu) == 0u) return as_type<half>(ushort(larger ? 0x0001u : 0x8001u));
    return as_type<half>(ushort(negative == larger ? bits - 1u : bits + 1u));
}
inline half float2half_rz(float x) {
    if (x != x) return as_type<half>(ushort(0x7fffu));
    half h = half(x);
    return metal::fabs(float(h)) > metal::fabs(x) ? half_step(h, x < 0.0f) : h;
}
inline half float2half_ru(float x) {
    if (x != x) return as_type<half>(ushort(0x7fffu));
    half h = half(x);
    return float(h) < x ? half_step(h, true) : h;
}
inline half float2half_rd(float x) {
    if (x != x) return as_type<half>(ushort(0x7fffu));
    half h = half(x);
    return float(h) > x ? half_step(h, false) : h;
}

// __float2bfloat16_rn, _rz, _ru, _rd: a bfloat is the upper half of a float.
inline bfloat float2bfloat16_rn(float x) {
    if (x != x) return as_type<bfloat>(ushort(0x7fffu));
    uint bits = as_type<uint>(x);
    return as_type<bfloat>(ushort((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16));
}
inline bfloat bfloat_truncated(float x, bool away) {
    if (x != x) return as_type<bfloat>(ushort(0x7fffu));
    uint bits = as_type<uint>(x);
    uint step = away && (bits & 0xffffu) != 0u ? 1u : 0u;
    return as_type<bfloat>(ushort((bits >> 16) + step));
}
inline bfloat float2bfloat16_rz(float x) {
    return bfloat_truncated(x, false);
}
inline bfloat float2bfloat16_ru(float x) {
    return bfloat_truncated(x, x > 0.0f);
}
inline bfloat float2bfloat16_rd(float x) {
    return bfloat_truncated(x, x < 0.0f);
}

// __int2half_rn and its kin. Through float: what float rounds lies beyond half's range anyway.
inline half short2half_rn(short x) {
    return half(float(x));
}
inline half short2half_rz(short x) {
    return float2half_rz(float(x));
}
inline half short2half_ru(short x) {
    return float2half_ru(float(x));
}
inline half short2half_rd(short x) {
    return float2half_rd(float(x));
}
inline half ushort2half_rn(ushort x) {
    return half(float(x));
}
inline half ushort2half_rz(ushort x) {
    return float2half_rz(float(x));
}
inline half ushort2half_ru(ushort x) {
    return float2half_ru(float(x));
}
inline half ushort2half_rd(ushort x) {
    return float2half_rd(float(x));
}
inline half int2half_rn(int x) {
    return half(float(x));
}
inline half int2half_rz(int x) {
    return float2half_rz(float(x));
}
inline half int2half_ru(int x) {
    return float2half_ru(float(x));
}
inline half int2half_rd(int x) {
    return float2half_rd(float(x));
}
inline half uint2half_rn(uint x) {
    return half(float(x));
}
inline half uint2half_rz(uint x) {
    return float2half_rz(float(x));
}
inline half uint2half_ru(uint x) {
    return float2half_ru(float(x));
}
inline half uint2half_rd(uint x) {
    return float2half_rd(float(x));
}
inline half ll2half_rn(long x) {
    return half(float(x));
}
inline half ll2half_rz(long x) {
    return float2half_rz(float(x));
}
inline half ll2half_ru(long x) {
    return float2half_ru(float(x));
}
inline half ll2half_rd(long x) {
    return float2half_rd(float(x));
}
inline half ull2half_rn(ulong x) {
    return half(float(x));
}
inline half ull2half_rz(ulong x) {
    return float2half_rz(float(x));
}
inline half ull2half_ru(ulong x) {
    return float2half_ru(float(x));
}
inline half ull2half_rd(ulong x) {
    return float2half_rd(float(x));
}

// __int2bfloat16_rn and its kin
inline bfloat short2bfloat16_rn(short x) {
    return float2bfloat16_rn(float(x));
}
inline bfloat short2bfloat16_rz(short x) {
    return float2bfloat16_rz(float(x));
}
inline bfloat short2bfloat16_ru(short x) {
    return float2bfloat16_ru(float(x));
}
inline bfloat short2bfloat16_rd(short x) {
    return float2bfloat16_rd(float(x));
}
inline bfloat ushort2bfloat16_rn(ushort x) {
    return float2bfloat16_rn(float(x));
}
inline bfloat ushort2bfloat16_rz(ushort x) {
    return float2bfloat16_rz(float(x));
}
inline bfloat ushort2bfloat16_ru(ushort x) {
    return float2bfloat16_ru(float(x));
}
inline bfloat ushort2bfloat16_rd(ushort x) {
    return float2bfloat16_rd(float(x));
}
inline bfloat int2bfloat16_rn(int x) {
    return float2bfloat16_rn(long2float_odd(long(x)));
}
inline bfloat int2bfloat16_rz(int x) {
    return float2bfloat16_rz(int2float_rz(x));
}
inline bfloat int2bfloat16_ru(int x) {
    return float2bfloat16_ru(int2float_ru(x));
}
inline bfloat int2bfloat16_rd(int x) {
    return float2bfloat16_rd(int2float_rd(x));
}
inline bfloat uint2bfloat16_rn(uint x) {
    return float2bfloat16_rn(ulong2float_odd(ulong(x)));
}
inline bfloat uint2bfloat16_rz(uint x) {
    return float2bfloat16_rz(uint2float_rz(x));
}
inline bfloat uint2bfloat16_ru(uint x) {
    return float2bfloat16_ru(uint2float_ru(x));
}
inline bfloat uint2bfloat16_rd(uint x) {
    return float2bfloat16_rd(uint2float_rd(x));
}
inline bfloat ll2bfloat16_rn(long x) {
    return float2bfloat16_rn(long2float_odd(long(x)));
}
inline bfloat ll2bfloat16_rz(long x) {
    return float2bfloat16_rz(ll2float_rz(x));
}
inline bfloat ll2bfloat16_ru(long x) {
    return float2bfloat16_ru(ll2float_ru(x));
}
inline bfloat ll2bfloat16_rd(long x) {
    return float2bfloat16_rd(ll2float_rd(x));
}
inline bfloat ull2bfloat16_rn(ulong x) {
    return float2bfloat16_rn(ulong2float_odd(ulong(x)));
}
inline bfloat ull2bfloat16_rz(ulong x) {
    return float2bfloat16_rz(ull2float_rz(x));
}
inline bfloat ull2bfloat16_ru(ulong x) {
    return float2bfloat16_ru(ull2float_ru(x));
}
inline bfloat ull2bfloat16_rd(ulong x) {
    return float2bfloat16_rd(ull2float_rd(x));
}

}  // namespace cu
