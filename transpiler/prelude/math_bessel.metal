// Bessel functions of the first and second kind. Below 8: polynomials around each zero, so that the relative error
// stays small there. From 8 on: amplitude and phase.
namespace cu {

// sqrt(1 / x) * (amplitude) * cos or sin of (x - pi/4 - order pi/2 + phase), for x >= 8.
inline float bessel_far(float x, int order, bool second) {
    if (x == INFINITY) return 0.0f;
    float inverse = metal::precise::divide(1.0f, x);
    float z = inverse * inverse;
    float amplitude;
    float phase;
    if (order == 0) {
        float p = 13.523343f;
        p = metal::fma(p, z, -0.791788f);
        p = metal::fma(p, z, 0.08694657f);
        p = metal::fma(p, z, -0.049886968f);
        p = metal::fma(p, z, 0.7978846f);
        float q = -12.127312f;
        q = metal::fma(q, z, 1.5170258f);
        q = metal::fma(q, z, -0.20900092f);
        q = metal::fma(q, z, 0.06510329f);
        q = metal::fma(q, z, -0.125f);
        amplitude = p;
        phase = q * inverse;
    } else {
        float p = 7.1251183f;
        p = metal::fma(p, z, 0.23452917f);
        p = metal::fma(p, z, -0.14968793f);
        p = metal::fma(p, z, 0.1495838f);
        p = metal::fma(p, z, 0.7978846f);
        float q = 16.390757f;
        q = metal::fma(q, z, -2.2162466f);
        q = metal::fma(q, z, 0.3701741f);
        q = metal::fma(q, z, -0.16406138f);
        q = metal::fma(q, z, 0.375f);
        amplitude = p;
        phase = q * inverse;
    }
    float s = metal::precise::sin(x);
    float c = metal::precise::cos(x);
    float cosine = order == 0 ? c + s : s - c;  // times 1 / sqrt(2)
    float sine = order == 0 ? s - c : -s - c;
    float small = phase * phase;
    float phase_cosine = 1.0f - 0.5f * small;
    float phase_sine = phase * (1.0f - 0.166666667f * small);
    float wave = second ? sine * phase_cosine + cosine * phase_sine : cosine * phase_cosine - sine * phase_sine;
    return wave * amplitude * 0.707106781f * metal::precise::rsqrt(x);
}

// j0f
inline float j0(float x) {
    x = metal::fabs(x);
    if (x < 1.5f) {
        float z = x * x;
        float p = 4.592091e-10f;
        p = metal::fma(p, z, -6.779942e-08f);
        p = metal::fma(p, z, 6.7816786e-06f);
        p = metal::fma(p, z, -0.00043402778f);
        p = metal::fma(p, z, 0.015625f);
        p = metal::fma(p, z, -0.25f);
        return metal::fma(p, z, 1.0f);
    }
    if (x < 4.0f) {
        float t = (x - 2.4048254f) - 1.08705905e-07f;
        float p = 7.0692195e-08f;
        p = metal::fma(p, t, -4.312636e-07f);
        p = metal::fma(p, t, 8.3747113e-07f);
        p = metal::fma(p, t, -4.4631503e-07f);
        p = metal::fma(p, t, -5.929802e-06f);
        p = metal::fma(p, t, 4.4658664e-05f);
        p = metal::fma(p, t, 0.00026535353f);
        p = metal::fma(p, t, -0.00219505f);
        p = metal::fma(p, t, -0.008657884f);
        p = metal::fma(p, t, 0.056602016f);
        p = metal::fma(p, t, 0.107938714f);
        p = metal::fma(p, t, -0.5191475f);
        return p * t;
    }
    if (x < 8.0f) {
        float t = (x - 5.520078f) - -7.1934146e-08f;
        float p = -1.6326716e-10f;
        p = metal::fma(p, t, 1.5901361e-09f);
        p = metal::fma(p, t, -4.0356802e-09f);
        p = metal::fma(p, t, -7.855141e-09f);
        p = metal::fma(p, t, -3.965493e-09f);
        p = metal::fma(p, t, 5.482036e-07f);
        p = metal::fma(p, t, 3.1265015e-06f);
        p = metal::fma(p, t, -4.6426063e-05f);
        p = metal::fma(p, t, -0.00017511404f);
        p = metal::fma(p, t, 0.0022573143f);
        p = metal::fma(p, t, 0.0046310155f);
        p = metal::fma(p, t, -0.05298849f);
        p = metal::fma(p, t, -0.03082065f);
        p = metal::fma(p, t, 0.3402648f);
        return p * t;
    }
    return x != x ? x : bessel_far(x, 0, false);
}

// j1f
inline float j1(float x) {
    float a = metal::fabs(x);
    if (a < 2.0f) {
        float z = x * x;
        float p = 3.331172e-11f;
        p = metal::fma(p, z, -5.660274e-09f);
        p = metal::fma(p, z, 6.782231e-07f);
        p = metal::fma(p, z, -5.4253585e-05f);
        p = metal::fma(p, z, 0.0026041667f);
        p = metal::fma(p, z, -0.0625f);
        p = metal::fma(p, z, 0.5f);
        return p * x;
    }
    float y;
    if (a < 5.5f) {
        float t = (a - 3.831706f) - -7.685059e-08f;
        float p = -2.4092135e-09f;
        p = metal::fma(p, t, -1.6999802e-09f);
        p = metal::fma(p, t, 2.8460805e-08f);
        p = metal::fma(p, t, 4.4174083e-08f);
        p = metal::fma(p, t, -6.646219e-07f);
        p = metal::fma(p, t, -3.070906e-06f);
        p = metal::fma(p, t, 4.638118e-05f);
        p = metal::fma(p, t, 0.0001747081f);
        p = metal::fma(p, t, -0.0022332845f);
        p = metal::fma(p, t, -0.005179743f);
        p = metal::fma(p, t, 0.053410508f);
        p = metal::fma(p, t, 0.05255615f);
        p = metal::fma(p, t, -0.4027594f);
        y = p * t;
    } else if (a < 8.0f) {
        float t = (a - 7.015587f) - -1.8321172e-07f;
        float p = -1.1670411e-07f;
        p = metal::fma(p, t, -2.9522846e-07f);
        p = metal::fma(p, t, 2.2307768e-07f);
        p = metal::fma(p, t, 1.5208178e-06f);
        p = metal::fma(p, t, 2.2863114e-06f);
        p = metal::fma(p, t, -4.617797e-05f);
        p = metal::fma(p, t, -0.00012556562f);
        p = metal::fma(p, t, 0.0021062624f);
        p = metal::fma(p, t, 0.0031303365f);
        p = metal::fma(p, t, -0.046970643f);
        p = metal::fma(p, t, -0.021389218f);
        p = metal::fma(p, t, 0.30011576f);
        y = p * t;
    } else {
        y = a != a ? a : bessel_far(a, 1, false);
    }
    return x < 0.0f ? -y : y;
}

// y0f
inline float y0(float x) {
    if (!(x > 0.0f)) return x == 0.0f ? -INFINITY : NAN;
    if (x < 2.0f) {  // (2 / pi) log(x / zero) J0(x) + (x^2 - zero^2) Q(x^2)
        float t = (x - 0.893577f) - -1.3357979e-08f;
        float z = x * x;
        float p = -2.3350955e-10f;
        p = metal::fma(p, z, 3.546622e-09f);
        p = metal::fma(p, z, -2.2331461e-08f);
        p = metal::fma(p, z, 1.7458851e-07f);
        p = metal::fma(p, z, -1.0005916e-05f);
        p = metal::fma(p, z, 0.00056188845f);
        p = metal::fma(p, z, -0.016744709f);
        p = metal::fma(p, z, 0.1821443f);
        float ratio = metal::fabs(t) < 0.3f ? log1p(metal::precise::divide(t, 0.893577f))
                                            : log_parts(x).x - -0.11252281f;
        return metal::fma(0.636619772f * ratio, j0(x), t * (x + 0.893577f) * p);
    }
    if (x < 5.5f) {
        float t = (x - 3.9576783f) - 1.0129118e-07f;
        float p = 6.142152e-10f;
        p = metal::fma(p, t, -1.947057e-09f);
        p = metal::fma(p, t, -1.182258e-08f);
        p = metal::fma(p, t, 6.6199846e-09f);
        p = metal::fma(p, t, 1.000266e-07f);
        p = metal::fma(p, t, -4.0428873e-08f);
        p = metal::fma(p, t, -5.314456e-07f);
        p = metal::fma(p, t, -4.8896904e-06f);
        p = metal::fma(p, t, 5.1279665e-05f);
        p = metal::fma(p, t, 0.0001952889f);
        p = metal::fma(p, t, -0.0021837887f);
        p = metal::fma(p, t, -0.006852582f);
        p = metal::fma(p, t, 0.058523912f);
        p = metal::fma(p, t, 0.050855912f);
        p = metal::fma(p, t, -0.40254268f);
        return p * t;
    }
    if (x < 8.0f) {
        float t = (x - 7.086051f) - 7.305812e-08f;
        float p = -2.3642777e-09f;
        p = metal::fma(p, t, -1.6962758e-08f);
        p = metal::fma(p, t, -4.6029886e-08f);
        p = metal::fma(p, t, 5.884637e-07f);
        p = metal::fma(p, t, 2.73944e-06f);
        p = metal::fma(p, t, -4.5945122e-05f);
        p = metal::fma(p, t, -0.00014063148f);
        p = metal::fma(p, t, 0.0021759719f);
        p = metal::fma(p, t, 0.0033183568f);
        p = metal::fma(p, t, -0.048024066f);
        p = metal::fma(p, t, -0.021175237f);
        p = metal::fma(p, t, 0.3000976f);
        return p * t;
    }
    return bessel_far(x, 0, true);
}

// y1f
inline float y1(float x) {
    if (!(x > 0.0f)) return x == 0.0f ? -INFINITY : NAN;
    if (x < 1.3f) {  // (2 / pi) (log(x) J1(x) - 1 / x) + x Q(x^2)
        float z = x * x;
        float p = -5.900231e-08f;
        p = metal::fma(p, z, 3.4116115e-07f);
        p = metal::fma(p, z, -1.7154379e-06f);
        p = metal::fma(p, z, 7.240087e-05f);
        p = metal::fma(p, z, -0.0029556942f);
        p = metal::fma(p, z, 0.054348774f);
        p = metal::fma(p, z, -0.1960571f);
        float regular = metal::fma(0.636619772f * log_parts(x).x, j1(x), p * x);
        return regular - metal::precise::divide(0.636619772f, x);
    }
    if (x < 3.8f) {
        float t = (x - 2.1971414f) - -8.288927e-08f;
        float p = 4.6642916e-07f;
        p = metal::fma(p, t, -4.000597e-06f);
        p = metal::fma(p, t, 1.4423168e-05f);
        p = metal::fma(p, t, -3.0026606e-05f);
        p = metal::fma(p, t, 4.946268e-05f);
        p = metal::fma(p, t, -9.802847e-05f);
        p = metal::fma(p, t, 0.00023047296f);
        p = metal::fma(p, t, -0.0005146884f);
        p = metal::fma(p, t, 0.0010712958f);
        p = metal::fma(p, t, -0.0025940908f);
        p = metal::fma(p, t, 0.007421087f);
        p = metal::fma(p, t, -0.004797902f);
        p = metal::fma(p, t, -0.0328572f);
        p = metal::fma(p, t, -0.118514545f);
        p = metal::fma(p, t, 0.5207864f);
        return p * t;
    }
    if (x < 8.0f) {
        float t = (x - 5.429681f) - 2.1651435e-07f;
        float p = -1.6053285e-10f;
        p = metal::fma(p, t, 1.1225773e-09f);
        p = metal::fma(p, t, -8.826421e-10f);
        p = metal::fma(p, t, -9.878463e-09f);
        p = metal::fma(p, t, 2.308979e-08f);
        p = metal::fma(p, t, 5.510676e-08f);
        p = metal::fma(p, t, -6.236917e-07f);
        p = metal::fma(p, t, -2.9049013e-06f);
        p = metal::fma(p, t, 4.6613277e-05f);
        p = metal::fma(p, t, 0.00014664383f);
        p = metal::fma(p, t, -0.0021661501f);
        p = metal::fma(p, t, -0.0041601183f);
        p = metal::fma(p, t, 0.050948005f);
        p = metal::fma(p, t, 0.031338677f);
        p = metal::fma(p, t, -0.34031805f);
        return p * t;
    }
    return bessel_far(x, 1, true);
}

// jnf: forward recurrence where it is stable, else Miller's backward one, normalised by J0 + 2 J2 + 2 J4 ... = 1.
inline float jn(int n, float x) {
    if (n < 0) return NAN;
    if (n == 0) return j0(x);
    if (n == 1) return j1(x);
    float a = metal::fabs(x);
    if (a == 0.0f || a == INFINITY) return 0.0f;
    if (a != a) return a;
    float two_over = metal::precise::divide(2.0f, a);
    float result = 0.0f;
    if (a > float(n)) {
        float before = j0(a);
        result = j1(a);
        for (int k = 1; k < n; ++k) {
            float next = metal::fma(float(k) * two_over, result, -before);
            before = result;
            result = next;
        }
    } else {
        int start = 2 * ((n + int(metal::precise::sqrt(40.0f * float(n))) + 8) / 2);
        float after = 0.0f, current = 1.0e-30f, sum = 0.0f;
        for (int k = start; k > 0; --k) {
            float next = metal::fma(float(k) * two_over, current, -after);
            after = current;
            current = next;
            if (metal::fabs(current) > 1.0e15f) {
                current *= 1.0e-15f;
                after *= 1.0e-15f;
                result *= 1.0e-15f;
                sum *= 1.0e-15f;
            }
            if (k - 1 == n) result = current;
            if (((k - 1) & 1) == 0 && k > 1) sum += current;
        }
        result = metal::precise::divide(result, metal::fma(2.0f, sum, current));
    }
    return x < 0.0f && (n & 1) ? -result : result;
}

// ynf: forward recurrence.
inline float yn(int n, float x) {
    if (n < 0) return NAN;
    if (n == 0) return y0(x);
    float result = y1(x);
    if (n == 1 || !(x > 0.0f) || x == INFINITY) return result;
    float before = y0(x);
    float two_over = metal::precise::divide(2.0f, x);
    for (int k = 1; k < n && result != -INFINITY; ++k) {
        float next = metal::fma(float(k) * two_over, result, -before);
        before = result;
        result = next;
    }
    return result;
}

}  // namespace cu
