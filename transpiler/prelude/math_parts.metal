// Exponents, neighbours and remainders: exact, on bits.
namespace cu {

// ldexpf, scalblnf
inline float ldexp(float x, int n) {
    return scalbn(x, n);
}
inline float scalbln(float x, long n) {
    return scalbn(x, int(n < -300 ? -300 : (n > 300 ? 300 : n)));
}

// ilogbf: 0 and NaN give the lowest int, infinity the highest.
inline int ilogb(float x) {
    uint bits = as_type<uint>(x) & 0x7fffffffu;
    if (bits == 0u || bits > 0x7f800000u) return as_type<int>(0x80000000u);
    if (bits == 0x7f800000u) return 2147483647;
    return bits < 0x00800000u ? -118 - int(metal::clz(bits)) : int(bits >> 23) - 127;
}

// logbf
inline float logb(float x) {
    uint bits = as_type<uint>(x) & 0x7fffffffu;
    if (bits == 0u) return -INFINITY;
    return bits >= 0x7f800000u ? x * x : float(ilogb(x));
}

// frexpf: x = result * 2^exponent, result in 1/2 ... 1.
template <typename Pointer>
inline float frexp(float x, Pointer exponent) {
    uint bits = as_type<uint>(x) & 0x7fffffffu;
    if (bits == 0u || bits >= 0x7f800000u) {
        *exponent = 0;
        return x + x;
    }
    int e = ilogb(x) + 1;
    *exponent = e;
    uint mantissa = bits < 0x00800000u ? bits << (metal::clz(bits) - 8u) : bits;
    return as_type<float>((as_type<uint>(x) & 0x80000000u) | 0x3f000000u | (mantissa & 0x7fffffu));
}

// modff: both parts have the sign of x.
template <typename Pointer>
inline float modf(float x, Pointer integral) {
    float whole = metal::trunc(x);
    *integral = whole;
    return metal::copysign(metal::fabs(x) == INFINITY ? 0.0f : x - whole, x);
}

// nextafterf
inline float nextafter(float x, float y) {
    if (x != x || y != y) return NAN;
    if (x == y) return y;
    uint bits = as_type<uint>(x);
    if ((bits & 0x7fffffffu) == 0u) return as_type<float>((as_type<uint>(y) & 0x80000000u) | 1u);
    return as_type<float>((x < y) == (x > 0.0f) ? bits + 1u : bits - 1u);
}

// fdimf
inline float fdim(float x, float y) {
    if (x != x || y != y) return NAN;
    return x > y ? x - y : 0.0f;
}

// A magnitude's integer mantissa, and the power of two it counts, at least -149.
inline uint float_mantissa(uint bits) {
    return bits < 0x00800000u ? bits : (bits & 0x7fffffu) | 0x800000u;
}
inline int float_power(uint bits) {
    return bits < 0x00800000u ? -149 : int(bits >> 23) - 150;
}

// |x| modulo |y| by long division; the quotient's low bits go to `quotient`. Both finite, y not zero.
inline float long_division(float x, float y, thread uint& quotient) {
    uint x_bits = as_type<uint>(x) & 0x7fffffffu;
    uint y_bits = as_type<uint>(y) & 0x7fffffffu;
    quotient = 0u;
    if (x_bits < y_bits) return as_type<float>(x_bits);
    uint rest = float_mantissa(x_bits);
    uint divisor = float_mantissa(y_bits);
    int steps = float_power(x_bits) - float_power(y_bits);
    quotient = rest / divisor;
    rest %= divisor;
    for (int left = steps; left > 0; left -= 8) {
        uint shift = uint(metal::min(left, 8));
        rest <<= shift;
        quotient = (quotient << shift) + rest / divisor;
        rest %= divisor;
    }
    return scalbn(float(rest), float_power(y_bits));
}

// fmodf
inline float fmod(float x, float y) {
    if (x != x || y != y || metal::fabs(x) == INFINITY || y == 0.0f) return NAN;
    if (metal::fabs(y) == INFINITY) return x;
    uint quotient;
    return metal::copysign(long_division(x, y, quotient), x);
}

// remquof: x - n y with n the nearest integer to x / y, even in a tie; the low bits of n with its sign.
template <typename Pointer>
inline float remquo(float x, float y, Pointer quotient) {
    *quotient = 0;
    if (x != x || y != y || metal::fabs(x) == INFINITY || y == 0.0f) return NAN;
    if (metal::fabs(y) == INFINITY) return x;
    float b = metal::fabs(y);
    uint n;
    float rest = long_division(x, y, n);
    bool above = b < 2.3509887e-38f ? 2.0f * rest > b : rest > 0.5f * b;
    bool tie = b < 2.3509887e-38f ? 2.0f * rest == b : rest == 0.5f * b;
    if (above || (tie && (n & 1u))) {
        rest -= b;
        n += 1u;
    }
    bool opposite = (as_type<uint>(x) ^ as_type<uint>(y)) >> 31;
    *quotient = opposite ? -int(n & 7u) : int(n & 7u);
    if (rest == 0.0f) return metal::copysign(0.0f, x);
    return x < 0.0f ? -rest : rest;
}

// remainderf
inline float remainder(float x, float y) {
    int quotient;
    return remquo(x, y, (thread int*)&quotient);
}

}  // namespace cu
