// Sines and cosines of multiples of pi, and both at once.
namespace cu {

// sin(pi r) and cos(pi r) for |r| <= 1/4.
inline float sinpi_core(float r) {
    float z = r * r;
    float p = 0.0778789f;
    p = metal::fma(p, z, -0.5988613f);
    p = metal::fma(p, z, 2.550152f);
    p = metal::fma(p, z, -5.1677127f);
    return metal::fma(r, 3.14159274f, metal::fma(z * r, p, r * -8.74227766e-8f));
}
inline float cospi_core(float r) {
    float z = r * r;
    float p = 0.24639125f;
    p = metal::fma(p, z, 0.19705203f);
    p = metal::fma(p, z, -1.3334686f);
    p = metal::fma(p, z, 4.058681f);
    p = metal::fma(p, z, -4.934802f);
    return metal::fma(p, z, 1.0f);
}

// The rest of x after the nearest multiple of 1/2, and that multiple's number modulo 4.
inline float2 quarter_turns(float x) {
    float turns = x - 2.0f * metal::rint(x * 0.5f);  // -1 ... 1, exact
    float n = metal::rint(turns * 2.0f);
    return float2(turns - 0.5f * n, n < 0.0f ? n + 4.0f : n);
}

// sinpif: Metal's own has 4 ulp.
inline float sinpi(float x) {
    if (!(metal::fabs(x) < INFINITY)) return NAN;
    float2 q = quarter_turns(x);
    int n = int(q.y);
    if (q.x == 0.0f && (n & 1) == 0) return metal::copysign(0.0f, x);
    float y = (n & 1) ? cospi_core(q.x) : sinpi_core(q.x);
    return (n & 2) ? -y : y;
}

// cospif
inline float cospi(float x) {
    if (!(metal::fabs(x) < INFINITY)) return NAN;
    float2 q = quarter_turns(x);
    int n = int(q.y);
    if (q.x == 0.0f && (n & 1) == 1) return 0.0f;
    float y = (n & 1) ? sinpi_core(q.x) : cospi_core(q.x);
    return n == 1 || n == 2 ? -y : y;
}

// sincospif, sincosf, __sincosf
template <typename Pointer>
inline void sincospi(float x, Pointer s, Pointer c) {
    *s = sinpi(x);
    *c = cospi(x);
}
template <typename Pointer>
inline void sincos(float x, Pointer s, Pointer c) {
    *s = metal::precise::sin(x);
    *c = metal::precise::cos(x);
}
template <typename Pointer>
inline void fast_sincos(float x, Pointer s, Pointer c) {
    *s = metal::fast::sin(x);
    *c = metal::fast::cos(x);
}

}  // namespace cu
