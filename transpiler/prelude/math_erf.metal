// The error function's family. Polynomials are weighted fits to 160-bit values; z is x squared.
namespace cu {

// erf(x) / x - 1 for |x| <= 1, from z = x^2.
inline float erf_series(float z) {
    float p = -8.577988e-06f;
    p = metal::fma(p, z, 0.00010858782f);
    p = metal::fma(p, z, -0.00084232324f);
    p = metal::fma(p, z, 0.005216406f);
    p = metal::fma(p, z, -0.02686355f);
    p = metal::fma(p, z, 0.112837434f);
    p = metal::fma(p, z, -0.37612635f);
    p = metal::fma(p, z, 0.12837917f);
    return p;
}

// exp(x^2) erfc(x) for x >= 0.
inline float erfcx_positive(float x) {
    if (x < 1.0f) {
        float t = x - 0.5f;
        float p = 0.00036619985f;
        p = metal::fma(p, t, -0.0026414809f);
        p = metal::fma(p, t, 0.006380521f);
        p = metal::fma(p, t, -0.013847234f);
        p = metal::fma(p, t, 0.030618092f);
        p = metal::fma(p, t, -0.06397207f);
        p = metal::fma(p, t, 0.124182336f);
        p = metal::fma(p, t, -0.22201069f);
        p = metal::fma(p, t, 0.3593454f);
        p = metal::fma(p, t, -0.5126888f);
        p = metal::fma(p, t, 0.61569035f);
        return p;
    }
    if (x < 2.0f) {
        float t = x - 1.5f;
        float p = 0.0002383767f;
        p = metal::fma(p, t, -0.0007064711f);
        p = metal::fma(p, t, 0.0018825749f);
        p = metal::fma(p, t, -0.005136878f);
        p = metal::fma(p, t, 0.013377724f);
        p = metal::fma(p, t, -0.03293162f);
        p = metal::fma(p, t, 0.07615102f);
        p = metal::fma(p, t, -0.1636229f);
        p = metal::fma(p, t, 0.32158542f);
        return p;
    }
    if (x < 4.0f) {
        float t = x - 3.0f;
        float p = -1.3801721e-06f;
        p = metal::fma(p, t, 5.9507292e-06f);
        p = metal::fma(p, t, -2.090561e-05f);
        p = metal::fma(p, t, 8.2808496e-05f);
        p = metal::fma(p, t, -0.00032412255f);
        p = metal::fma(p, t, 0.0012233241f);
        p = metal::fma(p, t, -0.0044794423f);
        p = metal::fma(p, t, 0.01588433f);
        p = metal::fma(p, t, -0.05437226f);
        p = metal::fma(p, t, 0.17900115f);
        return p;
    }
    float s = metal::precise::divide(1.0f, x);
    float z = s * s;
    float p = -4.325177f;
    p = metal::fma(p, z, 2.6809018f);
    p = metal::fma(p, z, -1.0118581f);
    p = metal::fma(p, z, 0.42209378f);
    p = metal::fma(p, z, -0.28208435f);
    p = metal::fma(p, z, 0.56418955f);
    return p * s;
}

// factor * exp(-scale x^2), scale a power of two with either sign, with the square taken exactly.
inline float gauss_times(float x, float scale, float factor) {
    float2 square = two_product(x, x);
    float2 parts = exp_parts(-scale * square.x, -scale * square.y);
    return scalbn(parts.x * factor, int(parts.y));
}

// erff
inline float erf(float x) {
    float a = metal::fabs(x);
    if (a <= 1.0f) return metal::fma(x, erf_series(x * x), x);
    if (a < 4.0f) return metal::copysign(1.0f - gauss_times(a, 1.0f, erfcx_positive(a)), x);
    return x != x ? x : metal::copysign(1.0f, x);
}

// erfcf
inline float erfc(float x) {
    if (metal::fabs(x) < 0.5f) return 1.0f - metal::fma(x, erf_series(x * x), x);
    float a = metal::fabs(x);
    if (!(a < 10.1f)) return x != x ? x : (x > 0.0f ? 0.0f : 2.0f);
    float tail = gauss_times(a, 1.0f, erfcx_positive(a));
    return x > 0.0f ? tail : 2.0f - tail;
}

// erfcxf
inline float erfcx(float x) {
    if (x >= 0.0f) return x == INFINITY ? 0.0f : erfcx_positive(x);
    if (x < -9.5f) return INFINITY;
    if (x != x) return x;
    return gauss_times(x, -1.0f, 2.0f) - erfcx_positive(-x);
}

// normcdff
inline float normcdf(float x) {
    float a = metal::fabs(x) * 0.707106769f;
    if (a < 0.5f) {
        float y = x * 0.707106769f;
        return 0.5f + 0.5f * metal::fma(y, erf_series(y * y), y);
    }
    if (!(a < 10.3f)) return x != x ? x : (x > 0.0f ? 1.0f : 0.0f);
    float tail = gauss_times(x, 0.5f, 0.5f * erfcx_positive(a));
    return x > 0.0f ? 1.0f - tail : tail;
}

// erfinv(x) / x for |x| < 0.8427 = erf(1), from t = x^2 - 3/8.
inline float erfinv_series(float t) {
    float p = 8.987788f;
    p = metal::fma(p, t, 9.345277f);
    p = metal::fma(p, t, 3.0425162f);
    p = metal::fma(p, t, 0.94598734f);
    p = metal::fma(p, t, 1.1809357f);
    p = metal::fma(p, t, 1.0217316f);
    p = metal::fma(p, t, 0.7148312f);
    p = metal::fma(p, t, 0.5295726f);
    p = metal::fma(p, t, 0.41933373f);
    p = metal::fma(p, t, 0.35267198f);
    p = metal::fma(p, t, 0.32967615f);
    p = metal::fma(p, t, 0.3860495f);
    p = metal::fma(p, t, 0.99757785f);
    return p;
}

// The v >= 0 with erfc(v) = y, from product = y (2 - y), y <= 0.1573.
inline float erfcinv_tail(float product) {
    float2 l = log_parts(product);
    float s = metal::precise::sqrt(-l.x);
    float s_rest = metal::precise::divide(metal::fma(-s, s, -l.x) - l.y, 2.0f * s);
    if (s < 2.17f) {
        float t = (s - 1.6f) + s_rest;
        float p = 5.5566805e-05f;
        p = metal::fma(p, t, -0.00014397445f);
        p = metal::fma(p, t, 0.00044636524f);
        p = metal::fma(p, t, 0.000784554f);
        p = metal::fma(p, t, -0.003441014f);
        p = metal::fma(p, t, -0.0028905931f);
        p = metal::fma(p, t, 0.030126953f);
        p = metal::fma(p, t, 0.95177937f);
        p = metal::fma(p, t, 1.4564095f);
        return p;
    }
    if (s < 4.24f) {
        float t = (s - 3.0f) + s_rest;
        float p = -1.4402776e-05f;
        p = metal::fma(p, t, 5.582082e-05f);
        p = metal::fma(p, t, -4.716744e-05f);
        p = metal::fma(p, t, -0.00021992749f);
        p = metal::fma(p, t, 0.0011477632f);
        p = metal::fma(p, t, -0.0034455298f);
        p = metal::fma(p, t, 0.0068425364f);
        p = metal::fma(p, t, 1.0026624f);
        p = metal::fma(p, t, 2.832802f);
        return p;
    }
    float t = (s - 7.0f) + s_rest;
    float p = 1.1165113e-08f;
    p = metal::fma(p, t, -8.831649e-08f);
    p = metal::fma(p, t, 3.176199e-07f);
    p = metal::fma(p, t, -1.3737542e-06f);
    p = metal::fma(p, t, 5.9568997e-06f);
    p = metal::fma(p, t, 5.6518506e-06f);
    p = metal::fma(p, t, -0.0005124036f);
    p = metal::fma(p, t, 1.0085961f);
    p = metal::fma(p, t, 6.8690195f);
    return p;
}

// erfinvf
inline float erfinv(float x) {
    float a = metal::fabs(x);
    if (a < 0.8427f) return x * erfinv_series(metal::fma(x, x, -0.375f));
    if (!(a < 1.0f)) return a == 1.0f ? metal::copysign(INFINITY, x) : NAN;
    return metal::copysign(erfcinv_tail(metal::fma(-a, a, 1.0f)), x);
}

// erfcinvf
inline float erfcinv(float y) {
    float x = 1.0f - y;
    if (metal::fabs(x) < 0.8427f) return x * erfinv_series(metal::fma(x, x, -0.375f));
    if (!(y > 0.0f && y < 2.0f)) return y == 0.0f ? INFINITY : (y == 2.0f ? -INFINITY : NAN);
    float small = metal::min(y, 2.0f - y);
    return metal::copysign(erfcinv_tail(metal::fma(-small, small, 2.0f * small)), x);
}

// normcdfinvf
inline float normcdfinv(float p) {
    return 0.0f - 1.41421354f * erfcinv(2.0f * p);  // +0 for 1/2
}

}  // namespace cu
