// One-component vectors and complex numbers.
namespace cu {

// float1, int1 ...
template <typename T>
struct vec1 {
    T x;
    vec1() = default;
    vec1(T value) : x(value) {}
};

// cuConjf
inline float2 cuConjf(float2 z) {
    return float2(z.x, -z.y);
}

// cuCabsf: without overflow on the way.
inline float cuCabsf(float2 z) {
    return hypot(z.x, z.y);
}

// cuCmulf
inline float2 cuCmulf(float2 a, float2 b) {
    return float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// cuCfmaf: a * b + c
inline float2 cuCfmaf(float2 a, float2 b, float2 c) {
    float real = a.x * b.x + c.x;
    float imaginary = b.y * a.x + c.y;
    return float2(-(a.y * b.y) + real, a.y * b.x + imaginary);
}

// cuCdivf: operands scaled by |re| + |im| of the divisor.
inline float2 cuCdivf(float2 a, float2 b) {
    float scale = metal::precise::divide(1.0f, metal::fabs(b.x) + metal::fabs(b.y));
    float2 n = a * scale;
    float2 d = b * scale;
    float inverse = metal::precise::divide(1.0f, d.x * d.x + d.y * d.y);
    return float2((n.x * d.x + n.y * d.y) * inverse, (n.y * d.x - n.x * d.y) * inverse);
}

}  // namespace cu
