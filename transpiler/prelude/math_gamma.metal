// The gamma function and its logarithm.
namespace cu {

// lgammaf
inline float lgamma(float x) {
    if (x != x) return x;
    float a = metal::fabs(x);
    if (a == INFINITY || a == 0.0f) return INFINITY;
    if (x < 0.0f) {  // log(pi / |x sin(pi x)|) - lgamma(|x|)
        if (x == metal::floor(x)) return INFINITY;
        float2 l = a < 1.0e-6f ? log_parts(a) : log_parts(a * metal::fabs(sinpi(a)));
        if (a < 1.0e-6f) return -l.x;
        float2 difference = two_sum(1.14472985f - lgamma_positive(a), -l.x);
        return difference.x + (difference.y - l.y);
    }
    return lgamma_positive(a);
}
inline float lgamma_positive(float x) {
    if (x < 1.5f) {
        bool small = x < 0.5f;  // lgamma(x) = lgamma(1 + x) - log(x)
        float t = small ? x : x - 1.0f;
        float p = -0.15850331f;
        p = metal::fma(p, t, 0.17879322f);
        p = metal::fma(p, t, -0.06409716f);
        p = metal::fma(p, t, 0.0659126f);
        p = metal::fma(p, t, -0.11526881f);
        p = metal::fma(p, t, 0.13096137f);
        p = metal::fma(p, t, -0.14375907f);
        p = metal::fma(p, t, 0.16914639f);
        p = metal::fma(p, t, -0.20739856f);
        p = metal::fma(p, t, 0.27059397f);
        p = metal::fma(p, t, -0.4006852f);
        p = metal::fma(p, t, 0.8224669f);
        p = metal::fma(p, t, -0.5772157f);
        if (!small) return metal::fma(p, t, 0.0f);  // +0 at the zero
        float2 l = log_parts(x);
        return metal::fma(p, t, -l.y) - l.x;
    }
    if (x < 3.0f) {
        float t = x - 2.0f;
        float p = 6.046149e-05f;
        p = metal::fma(p, t, -0.0001561239f);
        p = metal::fma(p, t, 5.0420065e-05f);
        p = metal::fma(p, t, 0.00020831368f);
        p = metal::fma(p, t, -0.0003300239f);
        p = metal::fma(p, t, 0.0004904061f);
        p = metal::fma(p, t, -0.0011563674f);
        p = metal::fma(p, t, 0.002890796f);
        p = metal::fma(p, t, -0.0073910607f);
        p = metal::fma(p, t, 0.020580947f);
        p = metal::fma(p, t, -0.067351945f);
        p = metal::fma(p, t, 0.32246703f);
        p = metal::fma(p, t, 0.42278433f);
        return metal::fma(p, t, 0.0f);
    }
    // Stirling: (x - 1/2) log x - x + log(2 pi) / 2 + 1 / (12 x) - ...
    float2 l = log_parts(x);
    if (x > 1.0e10f) {
        float head = x * (l.x - 1.0f);
        return metal::fma(x, l.y, head);
    }
    float inverse = metal::precise::divide(1.0f, x);
    float z = inverse * inverse;
    float series = metal::fma(z, -5.95238095e-4f, 7.93650794e-4f);
    series = metal::fma(series, z, -2.77777778e-3f);
    series = metal::fma(series, z, 8.33333333e-2f);
    float2 head = two_product(x - 0.5f, l.x);
    float2 sum = two_sum(head.x, -x);
    float low = metal::fma(x - 0.5f, l.y, head.y + sum.y);
    return sum.x + (0.918938533f + metal::fma(series, inverse, low));
}

// tgammaf: gamma(t) with t in 1 ... 2, times or divided by the factors on the way, taken as unevaluated pairs.
inline float tgamma(float x) {
    if (x != x) return x;
    if (x == 0.0f) return metal::copysign(INFINITY, x);
    if (x > 35.1f) return INFINITY;
    if (x < 0.0f && x == metal::floor(x)) return NAN;
    if (x < -46.0f) return metal::fmod(metal::floor(x), 2.0f) == 0.0f ? 0.0f : -0.0f;
    if (metal::fabs(x) < 1.0e-9f) return metal::precise::divide(1.0f, x);
    float2 product = float2(1.0f, 0.0f);
    float2 t = float2(x, 0.0f);
    int power = 0;  // product * 2^power, so that it neither overflows nor loses bits
    float steps = metal::floor(x) - 1.0f;
    for (float k = 0.0f; k < metal::fabs(steps); k += 1.0f) {
        if (steps > 0.0f) t = two_sum(x, -1.0f - k);
        product = pair_times(product, t);
        if (steps < 0.0f) t = two_sum(x, 1.0f + k);
        if (metal::fabs(product.x) > 1.0e18f) {
            product *= 8.67361738e-19f;  // 2^-60
            power += 60;
        }
    }
    float u = t.x - 1.5f;
    float p = -0.011333709f;
    p = metal::fma(p, u, 0.013560447f);
    p = metal::fma(p, u, -0.015953794f);
    p = metal::fma(p, u, 0.026283579f);
    p = metal::fma(p, u, -0.03820803f);
    p = metal::fma(p, u, 0.058334257f);
    p = metal::fma(p, u, -0.07750678f);
    p = metal::fma(p, u, 0.14468469f);
    p = metal::fma(p, u, -0.107295364f);
    p = metal::fma(p, u, 0.41481146f);
    p = metal::fma(p, u, 0.032338403f);
    p = metal::fma(p, u, 0.88622695f);
    float slope = p * (0.03649f + 0.9348f * u);  // gamma' = gamma * digamma, for t.y only
    float2 gamma = float2(p, t.y * slope);
    if (steps >= 0.0f) {
        float2 result = pair_times(product, gamma);
        return scalbn(result.x + result.y, power);
    }
    float quotient = metal::precise::divide(gamma.x, product.x);
    float rest = metal::fma(-quotient, product.x, gamma.x) + metal::fma(-quotient, product.y, gamma.y);
    return scalbn(quotient + metal::precise::divide(rest, product.x), -power);
}

}  // namespace cu
