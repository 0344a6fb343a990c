// __half and __nv_bfloat16 intrinsics without a Metal form, for one value; pairs stand in sixteen_pair.metal.
namespace cu {

// The NaN that CUDA's conversions and relu, max_nan, min_nan return.
inline half canonical_nan(half) {
    return as_type<half>(ushort(0x7fffu));
}
inline bfloat canonical_nan(bfloat) {
    return as_type<bfloat>(ushort(0x7fffu));
}

// __hadd_rn, __hsub_rn, __hmul_rn: float holds the exact product, and a sum well enough to round once more.
inline half hadd_rn(half a, half b) {
    return half(float(a) + float(b));
}
inline bfloat hadd_rn(bfloat a, bfloat b) {
    return bfloat(float(a) + float(b));
}
inline half hsub_rn(half a, half b) {
    return half(float(a) - float(b));
}
inline bfloat hsub_rn(bfloat a, bfloat b) {
    return bfloat(float(a) - float(b));
}
inline half hmul_rn(half a, half b) {
    return half(float(a) * float(b));
}
inline bfloat hmul_rn(bfloat a, bfloat b) {
    return bfloat(float(a) * float(b));
}

// __hfma, rounded once: the float result is made odd where it is inexact, so that bfloat's rounding is right.
inline half hfma(half a, half b, half c) {
    return metal::fma(a, b, c);
}
inline bfloat hfma(bfloat a, bfloat b, bfloat c) {
#pragma METAL fp contract(off)
    bool large = metal::fabs(float(a) * float(b)) == INFINITY;  // the sum may be finite all the same
    float x = large ? float(a) * 0.25f : float(a);
    float z = large ? float(c) * 0.25f : float(c);
    float product = x * float(b);
    float sum = metal::fma(x, float(b), z);
    float part = sum - product;
    float error = (product - (sum - part)) + (z - part);
    uint bits = as_type<uint>(sum);
    bool finite = (bits & 0x7f800000u) != 0x7f800000u;
    if (finite && error != 0.0f && (bits & 1u) == 0u) bits += (error > 0.0f) == (sum > 0.0f) ? 1u : 0xffffffffu;
    return bfloat(large ? as_type<float>(bits) * 4.0f : as_type<float>(bits));
}

// __hadd_sat ...: clamped to 0 ... 1; NaN and -0 become 0.
template <typename T>
inline T saturate_sixteen(T x) {
    if (!(float(x) > 0.0f)) return T(0.0f);
    if (float(x) >= 1.0f) return T(1.0f);
    return x;
}
template <typename T>
inline T hadd_sat(T a, T b) {
    return saturate_sixteen(hadd_rn(a, b));
}
template <typename T>
inline T hsub_sat(T a, T b) {
    return saturate_sixteen(hsub_rn(a, b));
}
template <typename T>
inline T hmul_sat(T a, T b) {
    return saturate_sixteen(hmul_rn(a, b));
}
template <typename T>
inline T hfma_sat(T a, T b, T c) {
    return saturate_sixteen(hfma(a, b, c));
}

// __hfma_relu: negative results become 0, NaN the canonical NaN.
template <typename T>
inline T hfma_relu(T a, T b, T c) {
    T x = hfma(a, b, c);
    if (float(x) != float(x)) return canonical_nan(x);
    if (!(float(x) > 0.0f)) return T(0.0f);
    return x;
}

// __habs
template <typename T>
inline T habs(T a) {
    return as_type<T>(ushort(as_type<ushort>(a) & 0x7fffu));
}

// __hmax, __hmin: a number wins over a NaN, and +0 is more than -0.
template <typename T>
inline T hmax(T a, T b) {
    float x = float(a), y = float(b);
    if (x != x && y != y) return canonical_nan(a);
    if (x == y) return as_type<T>(ushort(as_type<ushort>(a) & as_type<ushort>(b)));
    if (x > y || y != y) return a;
    return b;
}
template <typename T>
inline T hmin(T a, T b) {
    float x = float(a), y = float(b);
    if (x != x && y != y) return canonical_nan(a);
    if (x == y) return as_type<T>(ushort(as_type<ushort>(a) | as_type<ushort>(b)));
    if (x < y || y != y) return a;
    return b;
}

// __hmax_nan, __hmin_nan: a NaN wins.
template <typename T>
inline T hmax_nan(T a, T b) {
    if (float(a) != float(a) || float(b) != float(b)) return canonical_nan(a);
    return hmax(a, b);
}
template <typename T>
inline T hmin_nan(T a, T b) {
    if (float(a) != float(a) || float(b) != float(b)) return canonical_nan(a);
    return hmin(a, b);
}

// __hneg
template <typename T>
inline T hneg(T a) {
    return as_type<T>(ushort(as_type<ushort>(a) ^ 0x8000u));
}

// __hne: unequal and ordered. __hequ: equal or unordered.
template <typename T>
inline bool hne(T a, T b) {
    return float(a) < float(b) || float(a) > float(b);
}
template <typename T>
inline bool hequ(T a, T b) {
    return !hne(a, b);
}

// __hisinf: 1, -1 or 0.
template <typename T>
inline int hisinf(T a) {
    ushort bits = as_type<ushort>(a);
    ushort infinity = as_type<ushort>(T(INFINITY));
    return (bits & 0x7fffu) != infinity ? 0 : (bits == infinity ? 1 : -1);
}

}  // namespace cu
