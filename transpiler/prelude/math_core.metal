// What the math functions below are built of. Only +, -, *, fma, /, sqrt, rint and bit operations: with denormals
// kept, the results are the same on every machine, so the measured errors carry over.
namespace cu {

// a + b exactly, as (rounded, rest).
inline float2 two_sum(float a, float b) {
#pragma METAL fp contract(off)
    float sum = a + b;
    float part = sum - a;
    return float2(sum, (a - (sum - part)) + (b - part));
}
// a + b exactly, as (rounded, rest), for |a| >= |b| or a = 0.
inline float2 fast_two_sum(float a, float b) {
#pragma METAL fp contract(off)
    float sum = a + b;
    return float2(sum, b - (sum - a));
}
inline float2 two_product(float a, float b) {
    float product = fmul_rn(a, b);
    return float2(product, metal::fma(a, b, -product));
}

// Products of unevaluated sums (rounded, rest), good to about 2^-46.
inline float2 pair_times(float2 a, float2 b) {
    float2 p = two_product(a.x, b.x);
    return two_sum(p.x, metal::fma(a.x, b.y, metal::fma(a.y, b.x, p.y)));
}

// scalbn: x * 2^n, rounded once. ldexp and scalbln are the same in binary.
inline float scalbn(float x, int n) {
    if (n >= -126 && n <= 127) return x * as_type<float>(uint(n + 127) << 23);
    uint bits = as_type<uint>(x);
    n = metal::clamp(n, -1000, 1000);
    if ((bits & 0x7f800000u) == 0u) {
        bits = as_type<uint>(x * 16777216.0f);
        n -= 24;
    }
    int exponent = int((bits >> 23) & 255u);
    if (exponent == 0 || exponent == 255) return x;  // zero, infinity, NaN
    exponent += n;
    if (exponent > 254) return metal::copysign(INFINITY, x);
    if (exponent < -25) return metal::copysign(0.0f, x);
    if (exponent > 0) return as_type<float>((bits & 0x807fffffu) | (uint(exponent) << 23));
    float shifted = as_type<float>((bits & 0x807fffffu) | (64u << 23));
    return shifted * as_type<float>(uint(exponent + 63) << 23);
}

// exp(high + low) as (m, n): m * 2^n, m in 0.7 ... 1.42.
inline float2 exp_parts(float high, float low) {
    float n = metal::rint(high * 1.44269502f);
    float r = metal::fma(n, -0.693145752f, high);
    r = metal::fma(n, -1.42860677e-6f, r) + low;
    float q = 0.00019969614f;
    q = metal::fma(q, r, 0.0013930885f);
    q = metal::fma(q, r, 0.00833318f);
    q = metal::fma(q, r, 0.041666508f);
    q = metal::fma(q, r, 0.16666667f);
    q = metal::fma(q, r, 0.5f);
    return float2(metal::fma(q * r, r, r) + 1.0f, n);
}

// log(x) as (rounded, rest), good to about 2^-30 of the larger of log(x) and its error, for 0 < x < infinity.
inline float2 log_parts(float x) {
    int exponent = 0;
    if (x < 1.17549435e-38f) {
        x *= 8388608.0f;
        exponent = -23;
    }
    uint bits = as_type<uint>(x) - 0x3f3504f3u;  // sqrt(1/2)
    exponent += as_type<int>(bits) >> 23;
    float m = as_type<float>((bits & 0x7fffffu) + 0x3f3504f3u);
    float f = m - 1.0f;
    float t = f + 2.0f;
    float s = metal::precise::divide(f, t);
    float rest = metal::precise::divide(metal::fma(-s, t, f) - s * (f - (t - 2.0f)), t);
    float z = s * s;
    float p = 0.22589917f;
    p = metal::fma(p, z, 0.28589216f);
    p = metal::fma(p, z, 0.39999554f);
    p = metal::fma(p, z, 0.6666667f);
    float e = float(exponent);
    float2 sum = two_sum(e * 0.693145752f, 2.0f * s);
    float low = metal::fma(e, 1.42860677e-6f, metal::fma(s * z, p, metal::fma(2.0f, rest, sum.y)));
    return two_sum(sum.x, low);
}

}  // namespace cu
