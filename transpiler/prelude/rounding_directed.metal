// Arithmetic rounded down (rd), up (ru) or to zero (rz): the nearest result, moved one step where the sign of its
// exact error says so. Right for denormal results too where the hardware keeps them.
namespace cu {

// The next float up or down; infinities stay.
inline float float_step(float x, bool up) {
    uint bits = as_type<uint>(x);
    if ((bits & 0x7fffffffu) == 0u) return as_type<float>(up ? 0x00000001u : 0x80000001u);
    return as_type<float>((x > 0.0f) == up ? bits + 1u : bits - 1u);
}

// `nearest` moved where the true value, nearest + error, lies on its wrong side. An infinity that stands for a
// finite value (overflow) has an error of the opposite sign.
inline float round_down(float nearest, float error) {
    return error < 0.0f ? float_step(nearest, false) : nearest;
}
inline float round_up(float nearest, float error) {
    return error > 0.0f ? float_step(nearest, true) : nearest;
}
inline float round_zero(float nearest, float error) {
    bool beyond = nearest > 0.0f ? error < 0.0f : (nearest < 0.0f && error > 0.0f);
    return beyond ? float_step(nearest, nearest < 0.0f) : nearest;
}

// The sign of the exact error of a nearest result, as a float; 0 where it is exact.
inline float overflow_error(float nearest, bool finite_operands) {
    return finite_operands ? -nearest : 0.0f;
}
inline float sum_error(float a, float b, float sum) {
#pragma METAL fp contract(off)
    if (!metal::isfinite(sum)) return overflow_error(sum, metal::isfinite(a) && metal::isfinite(b));
    float part = sum - a;
    return (a - (sum - part)) + (b - part);
}
inline float product_error(float a, float b, float product) {
    if (!metal::isfinite(product)) return overflow_error(product, metal::isfinite(a) && metal::isfinite(b));
    if (a == 0.0f || b == 0.0f) return 0.0f;
    if (product == 0.0f) return (a > 0.0f) == (b > 0.0f) ? 1.0f : -1.0f;
    if (metal::fabs(product) > 1.0e-30f) return metal::fma(a, b, -product);
    const float scale = 1125899906842624.0f;  // 2^50 keeps the error of a tiny product above the denormals
    float larger_one = metal::fabs(a) > metal::fabs(b) ? a : b;
    float smaller_one = metal::fabs(a) > metal::fabs(b) ? b : a;
    return metal::fma(smaller_one * scale, larger_one, -product * scale);
}
inline float fma_error(float a, float b, float c, float result) {
#pragma METAL fp contract(off)
    if (!metal::isfinite(result)) {
        return overflow_error(result, metal::isfinite(a) && metal::isfinite(b) && metal::isfinite(c));
    }
    if (c == 0.0f) return product_error(a, b, result);
    if (a == 0.0f || b == 0.0f) return 0.0f;
    float greater_one = metal::fabs(a) > metal::fabs(b) ? a : b;
    float smaller_one = metal::fabs(a) > metal::fabs(b) ? b : a;
    float product = fmul_rn(a, b);
    if (!metal::isfinite(product)) {  // c brings the result back below overflow
        greater_one *= 0.25f;
        product = fmul_rn(smaller_one, greater_one);
        c *= 0.25f;
        result *= 0.25f;
    } else if (metal::fabs(product) < 7.9e-31f) {  // 2^-100: the product's own error would be lost
        const float scale = 1.2676506e30f;  // 2^100
        bool negative = (a > 0.0f) != (b > 0.0f);
        smaller_one *= scale;
        product = fmul_rn(smaller_one, greater_one);
        if (metal::fabs(c) > 8.0e-19f || metal::fabs(product) < 7.9e-31f) return negative ? -1.0f : 1.0f;
        c *= scale;
        result *= scale;
    }
    float low = metal::fma(smaller_one, greater_one, -product);
    float tail = sum_error(c, low, c + low);
    float head = c + low;
    float sum = product + head;
    float rest = sum_error(product, head, sum);
    return ((sum - result) + rest) + tail;
}
inline float quotient_error(float a, float b, float quotient) {
    bool finite = metal::isfinite(a) && metal::isfinite(b) && b != 0.0f;
    if (!metal::isfinite(quotient)) return overflow_error(quotient, finite);
    if (metal::isinf(b) || a == 0.0f) return 0.0f;
    if (quotient == 0.0f) return (a > 0.0f) == (b > 0.0f) ? 1.0f : -1.0f;
    const float scale = 18446744073709551616.0f;  // 2^64
    if (metal::fabs(a) < 8.0e-19f && metal::fabs(b) < 1.0e18f) {
        a *= scale;
        b *= scale;
    }
    float rest = metal::fma(-quotient, b, a);
    return b > 0.0f ? rest : -rest;
}
inline float root_error(float x, float root) {
    if (!(x > 0.0f) || metal::isinf(x)) return 0.0f;
    if (x > 8.0e-19f) return metal::fma(-root, root, x);
    float scaled = root * 4294967296.0f;  // 2^32
    return metal::fma(-scaled, scaled, x * 18446744073709551616.0f);
}

// A sum of two terms that cancel exactly is -0 when rounded down.
inline float down_zero(float result, float a, float b) {
    bool cancel = result == 0.0f && as_type<uint>(a) != as_type<uint>(b) && (a != 0.0f || b == 0.0f);
    return cancel ? -0.0f : result;
}

// __fadd_rd, _ru, _rz
inline float fadd_rd(float a, float b) {
    float nearest = fadd_rn(a, b);
    return down_zero(round_down(nearest, sum_error(a, b, nearest)), a, b);
}
inline float fadd_ru(float a, float b) {
    float nearest = fadd_rn(a, b);
    return round_up(nearest, sum_error(a, b, nearest));
}
inline float fadd_rz(float a, float b) {
    float nearest = fadd_rn(a, b);
    return round_zero(nearest, sum_error(a, b, nearest));
}

// __fsub_rd, _ru, _rz
inline float fsub_rd(float a, float b) {
    float nearest = fadd_rn(a, -b);
    return down_zero(round_down(nearest, sum_error(a, -b, nearest)), a, -b);
}
inline float fsub_ru(float a, float b) {
    float nearest = fadd_rn(a, -b);
    return round_up(nearest, sum_error(a, -b, nearest));
}
inline float fsub_rz(float a, float b) {
    float nearest = fadd_rn(a, -b);
    return round_zero(nearest, sum_error(a, -b, nearest));
}

// __fmul_rd, _ru, _rz
inline float fmul_rd(float a, float b) {
    float nearest = fmul_rn(a, b);
    return round_down(nearest, product_error(a, b, nearest));
}
inline float fmul_ru(float a, float b) {
    float nearest = fmul_rn(a, b);
    return round_up(nearest, product_error(a, b, nearest));
}
inline float fmul_rz(float a, float b) {
    float nearest = fmul_rn(a, b);
    return round_zero(nearest, product_error(a, b, nearest));
}

// __fmaf_rd, _ru, _rz
inline float fmaf_rd(float a, float b, float c) {
    float nearest = metal::fma(a, b, c);
    return down_zero(round_down(nearest, fma_error(a, b, c, nearest)), a * b, c);
}
inline float fmaf_ru(float a, float b, float c) {
    float nearest = metal::fma(a, b, c);
    return round_up(nearest, fma_error(a, b, c, nearest));
}
inline float fmaf_rz(float a, float b, float c) {
    float nearest = metal::fma(a, b, c);
    return round_zero(nearest, fma_error(a, b, c, nearest));
}

// __fdiv_rd, _ru, _rz
inline float fdiv_rd(float a, float b) {
    float nearest = metal::precise::divide(a, b);
    return round_down(nearest, quotient_error(a, b, nearest));
}
inline float fdiv_ru(float a, float b) {
    float nearest = metal::precise::divide(a, b);
    return round_up(nearest, quotient_error(a, b, nearest));
}
inline float fdiv_rz(float a, float b) {
    float nearest = metal::precise::divide(a, b);
    return round_zero(nearest, quotient_error(a, b, nearest));
}

// __frcp_rd, _ru, _rz
inline float frcp_rd(float x) {
    float nearest = metal::precise::divide(1.0f, x);
    return round_down(nearest, quotient_error(1.0f, x, nearest));
}
inline float frcp_ru(float x) {
    float nearest = metal::precise::divide(1.0f, x);
    return round_up(nearest, quotient_error(1.0f, x, nearest));
}
inline float frcp_rz(float x) {
    float nearest = metal::precise::divide(1.0f, x);
    return round_zero(nearest, quotient_error(1.0f, x, nearest));
}

// __fsqrt_rd, _ru, _rz
inline float fsqrt_rd(float x) {
    float nearest = metal::precise::sqrt(x);
    return round_down(nearest, root_error(x, nearest));
}
inline float fsqrt_ru(float x) {
    float nearest = metal::precise::sqrt(x);
    return round_up(nearest, root_error(x, nearest));
}
inline float fsqrt_rz(float x) {
    float nearest = metal::precise::sqrt(x);
    return round_zero(nearest, root_error(x, nearest));
}

}  // namespace cu
