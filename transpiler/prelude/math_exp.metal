// Exponentials and logarithms that Metal lacks, or has with a larger error than CUDA.
namespace cu {

// exp10f
inline float exp10(float x) {
    if (!(metal::fabs(x) < 50.0f)) return x != x ? x : (x > 0.0f ? INFINITY : 0.0f);
    float2 product = two_product(x, 2.30258512f);
    float2 parts = exp_parts(product.x, metal::fma(x, -3.19754249e-8f, product.y));
    return scalbn(parts.x, int(parts.y));
}

// expm1f
inline float expm1(float x) {
    if (x < -18.0f) return -1.0f;
    if (!(x < 89.0f)) return x != x ? x : INFINITY;
    float n = metal::rint(x * 1.44269502f);
    float r = metal::fma(n, -0.693145752f, x);
    float low = n * -1.42860677e-6f;
    float2 reduced = two_sum(r, low);
    r = reduced.x;
    float q = 0.00019969614f;
    q = metal::fma(q, r, 0.0013930885f);
    q = metal::fma(q, r, 0.00833318f);
    q = metal::fma(q, r, 0.041666508f);
    q = metal::fma(q, r, 0.16666667f);
    q = metal::fma(q, r, 0.5f);
    if (n == 0.0f) return x == 0.0f ? x : metal::fma(q * r, r, r);
    float2 y = two_sum(r, metal::fma(q * r, r, reduced.y));  // e^r - 1
    float scale = as_type<float>(uint(int(n) + 126) << 23);  // 2^(n - 1), so that n = 128 does not overflow
    float2 head = two_sum(scale, -0.5f);
    float2 sum = two_sum(head.x, scale * y.x);
    return 2.0f * (sum.x + metal::fma(scale, y.y, sum.y + head.y));
}

// log1pf; without branches, over which loads do not move.
inline float log1p(float x) {
    int e = as_type<int>(as_type<uint>(1.0f + x) - 0x3f400000u) >> 23;  // 1 + x = 2^e (1 + f), f in -1/4 ... 1/2
    float scaled = as_type<float>(as_type<uint>(x) - (uint(e) << 23));
    float2 f = two_sum(scaled, as_type<float>(uint(metal::max(127 - e, 0)) << 23) - 1.0f);
    float half_f = 0.5f * f.x;
    float square = fmul_rn(half_f, f.x);
    float square_rest = metal::fma(half_f, f.x, -square);
    float q = 0.037672818f;  // log(1 + f) = f - f^2 / 2 + f^3 q
    q = metal::fma(q, f.x, -0.091161795f);
    q = metal::fma(q, f.x, 0.1170066f);
    q = metal::fma(q, f.x, -0.1272778f);
    q = metal::fma(q, f.x, 0.1427624f);
    q = metal::fma(q, f.x, -0.16655296f);
    q = metal::fma(q, f.x, 0.19999605f);
    q = metal::fma(q, f.x, -0.25000164f);
    q = metal::fma(q, f.x, 0.3333334f);
    float2 near = fast_two_sum(f.x, -square);
    float low = metal::fma(f.y, 1.0f - f.x, near.y - square_rest);
    low = metal::fma(2.0f * square * f.x, q, low);
    float2 sum = fast_two_sum(float(e) * 0.693145752f, near.x);
    float result = sum.x + (sum.y + metal::fma(float(e), 1.42860677e-6f, low));
    result = metal::fabs(x) < 5.9604645e-8f || x == INFINITY ? x : result;
    return x > -1.0f ? result : x == -1.0f ? -INFINITY : NAN;
}

// pow with an integer exponent, by squaring unevaluated pairs.
inline float powi(float x, int n) {
    uint left = n < 0 ? 0u - uint(n) : uint(n);
    if (left == 0u) return 1.0f;
    if (x == 0.0f || !metal::isfinite(x)) {
        float magnitude = (left & 1u) ? x : x * x;
        return n < 0 ? metal::precise::divide(1.0f, magnitude) : magnitude;
    }
    uint bits = as_type<uint>(x) & 0x7fffffffu;
    float scaled = metal::fabs(x);
    int exponent = 0;
    if (bits < 0x00800000u) {
        scaled *= 16777216.0f;
        bits = as_type<uint>(scaled);
        exponent = -24;
    }
    exponent += int(bits >> 23) - 127;
    float2 base = float2(as_type<float>((bits & 0x7fffffu) | 0x3f800000u), 0.0f);  // |x| = base * 2^exponent
    float2 product = float2(1.0f, 0.0f);
    int base_power = exponent;  // powers of two stand beside the pairs, which therefore stay in 1 ... 2
    int power = 0;
    for (uint bit = left; bit != 0u; bit >>= 1) {
        if (bit & 1u) {
            product = pair_times(product, base);
            power += base_power;
            if (product.x >= 2.0f) {
                product *= 0.5f;
                power += 1;
            }
        }
        base = pair_times(base, base);
        base_power = metal::clamp(2 * base_power, -100000, 100000);
        power = metal::clamp(power, -100000, 100000);
        if (base.x >= 2.0f) {
            base *= 0.5f;
            base_power += 1;
        }
    }
    float result = product.x + product.y;
    if (n < 0) {
        float inverse = metal::precise::divide(1.0f, product.x);
        float rest = metal::fma(-inverse, product.x, 1.0f) - inverse * product.y;
        result = metal::fma(rest, inverse, inverse);
        power = -power;
    }
    result = scalbn(result, metal::clamp(power, -300, 300));
    return x < 0.0f && (left & 1u) ? -result : result;
}

}  // namespace cu
