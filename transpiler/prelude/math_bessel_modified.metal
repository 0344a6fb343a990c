// Modified Bessel functions of order 0 and 1: a series below 5, e^x / sqrt(x) times a polynomial in 1 / x above.
namespace cu {

// factor * e^x / sqrt(x), without overflow on the way.
inline float bessel_growth(float x, float factor) {
    float2 parts = exp_parts(x, 0.0f);
    return scalbn(parts.x * (factor * metal::precise::rsqrt(x)), int(parts.y));
}

// cyl_bessel_i0f
inline float cyl_bessel_i0(float x) {
    x = metal::fabs(x);
    if (x <= 5.0f) {
        float z = x * x;
        float p = -4.909848e-22f;
        p = metal::fma(p, z, 6.6268715e-20f);
        p = metal::fma(p, z, -3.7548888e-18f);
        p = metal::fma(p, z, 1.5346894e-16f);
        p = metal::fma(p, z, 6.8914723e-15f);
        p = metal::fma(p, z, 2.4345174e-12f);
        p = metal::fma(p, z, 4.706967e-10f);
        p = metal::fma(p, z, 6.781806e-08f);
        p = metal::fma(p, z, 6.781681e-06f);
        p = metal::fma(p, z, 0.00043402778f);
        p = metal::fma(p, z, 0.015625f);
        p = metal::fma(p, z, 0.25f);
        return metal::fma(p, z, 1.0f);
    }
    if (!(x < 100.0f)) return x != x ? x : INFINITY;
    float s = metal::precise::divide(1.0f, x);
    float p = 306.1581f;
    p = metal::fma(p, s, -350.0611f);
    p = metal::fma(p, s, 134.92133f);
    p = metal::fma(p, s, -22.597467f);
    p = metal::fma(p, s, 1.9166466f);
    p = metal::fma(p, s, -0.0039547323f);
    p = metal::fma(p, s, 0.027287154f);
    p = metal::fma(p, s, 0.028193757f);
    p = metal::fma(p, s, 0.04986521f);
    p = metal::fma(p, s, 0.3989423f);
    return bessel_growth(x, p);
}

// cyl_bessel_i1f
inline float cyl_bessel_i1(float x) {
    float a = metal::fabs(x);
    if (a <= 5.0f) {
        float z = x * x;
        float p = -1.6065946e-20f;
        p = metal::fma(p, z, 2.1244595e-18f);
        p = metal::fma(p, z, -1.1867501e-16f);
        p = metal::fma(p, z, 4.334069e-15f);
        p = metal::fma(p, z, 7.587788e-14f);
        p = metal::fma(p, z, 3.4554398e-11f);
        p = metal::fma(p, z, 5.644346e-09f);
        p = metal::fma(p, z, 6.782009e-07f);
        p = metal::fma(p, z, 5.4253393e-05f);
        p = metal::fma(p, z, 0.0026041667f);
        p = metal::fma(p, z, 0.0625f);
        p = metal::fma(p, z, 0.5f);
        return p * x;
    }
    if (!(a < 100.0f)) return x != x ? x : metal::copysign(INFINITY, x);
    float s = metal::precise::divide(1.0f, a);
    float p = -923.84f;
    p = metal::fma(p, s, 952.6832f);
    p = metal::fma(p, s, -379.8686f);
    p = metal::fma(p, s, 76.30334f);
    p = metal::fma(p, s, -8.897484f);
    p = metal::fma(p, s, 0.53371936f);
    p = metal::fma(p, s, -0.06375945f);
    p = metal::fma(p, s, -0.04628158f);
    p = metal::fma(p, s, -0.14960766f);
    p = metal::fma(p, s, 0.3989423f);
    return metal::copysign(bessel_growth(a, p), x);
}

}  // namespace cu
