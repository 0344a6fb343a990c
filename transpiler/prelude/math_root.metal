// Roots and norms.
namespace cu {

// 1 / cbrt(x) for a normal x > 0, good to about 2^-23: bits divided by -3, then Newton.
inline float rcbrt_normal(float x) {
    float r = as_type<float>(0x54a21d2au - as_type<uint>(x) / 3u);
    for (int i = 0; i < 3; ++i) r = metal::fma(r * 0.333333333f, metal::fma(-x * r * r, r, 1.0f), r);
    return r;
}

// cbrtf
inline float cbrt(float x) {
    float a = metal::fabs(x);
    if (a == 0.0f || !(a < INFINITY)) return x;
    float scale = 1.0f;
    if (a < 1.17549435e-38f) {
        a *= 16777216.0f;
        scale = 0.00390625f;
    }
    float r = rcbrt_normal(a);
    float c = a * r * r;
    float2 square = two_product(c, c);
    float rest = metal::fma(-square.x, c, a) - square.y * c;
    return metal::copysign(scale * metal::fma(rest * r, r * 0.333333333f, c), x);
}

// rcbrtf
inline float rcbrt(float x) {
    float a = metal::fabs(x);
    if (a == 0.0f || !(a < INFINITY)) return x != x ? x : metal::precise::divide(1.0f, x);
    float scale = 1.0f;
    if (a < 1.17549435e-38f) {
        a *= 16777216.0f;
        scale = 256.0f;
    }
    float r = rcbrt_normal(a);
    float2 square = two_product(r, r);
    float2 cube = two_product(square.x, a);
    float rest = metal::fma(-cube.x, r, 1.0f) - metal::fma(square.y, a, cube.y) * r;
    return metal::copysign(scale * metal::fma(rest * 0.333333333f, r, r), x);
}

// 2^-k that brings the largest magnitude `m` (not zero, not infinite) near 1, and k.
inline int norm_exponent(float m) {
    return metal::clamp(int((as_type<uint>(m) >> 23) & 255u) - 127, -126, 126);
}

// hypotf, norm3df, norm4df: an infinity wins over a NaN.
inline float norm4d(float a, float b, float c, float d) {
    float m = metal::fmax(metal::fmax(metal::fabs(a), metal::fabs(b)), metal::fmax(metal::fabs(c), metal::fabs(d)));
    if (m == INFINITY) return m;
    if (m == 0.0f) return a + b + c + d == 0.0f ? 0.0f : NAN;
    int k = norm_exponent(m);
    float scale = as_type<float>(uint(127 - k) << 23);
    a *= scale;
    b *= scale;
    c *= scale;
    d *= scale;
    float sum = metal::fma(a, a, metal::fma(b, b, metal::fma(c, c, d * d)));
    return scalbn(metal::precise::sqrt(sum), k);
}
inline float norm3d(float a, float b, float c) {
    return norm4d(a, b, c, 0.0f);
}
inline float hypot(float a, float b) {
    return norm4d(a, b, 0.0f, 0.0f);
}

// rhypotf, rnorm3df, rnorm4df
inline float rnorm4d(float a, float b, float c, float d) {
    float m = metal::fmax(metal::fmax(metal::fabs(a), metal::fabs(b)), metal::fmax(metal::fabs(c), metal::fabs(d)));
    if (m == INFINITY) return 0.0f;
    if (m == 0.0f) return a + b + c + d == 0.0f ? INFINITY : NAN;
    int k = norm_exponent(m);
    float scale = as_type<float>(uint(127 - k) << 23);
    a *= scale;
    b *= scale;
    c *= scale;
    d *= scale;
    float sum = metal::fma(a, a, metal::fma(b, b, metal::fma(c, c, d * d)));
    return scalbn(metal::precise::rsqrt(sum), -k);
}
inline float rnorm3d(float a, float b, float c) {
    return rnorm4d(a, b, c, 0.0f);
}
inline float rhypot(float a, float b) {
    return rnorm4d(a, b, 0.0f, 0.0f);
}

// normf, rnormf: of n numbers in memory.
template <typename Pointer>
inline float norm(int n, Pointer p) {
    float m = 0.0f;
    for (int i = 0; i < n; ++i) m = metal::fmax(m, metal::fabs(float(p[i])));
    if (m == INFINITY) return m;
    int k = norm_exponent(m);
    float scale = as_type<float>(uint(127 - k) << 23);
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) sum = metal::fma(float(p[i]) * scale, float(p[i]) * scale, sum);
    return scalbn(metal::precise::sqrt(sum), k);
}
template <typename Pointer>
inline float rnorm(int n, Pointer p) {
    return metal::precise::divide(1.0f, norm(n, p));
}

}  // namespace cu
