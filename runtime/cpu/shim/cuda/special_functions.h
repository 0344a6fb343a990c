// Double-precision bodies of the special functions C++ lacks; float forms round these once.
#pragma once
#include <cmath>
#include <limits>

namespace cudashim {

constexpr double pi = 3.14159265358979323846;
constexpr double two_over_root_pi = 1.12837916709551257390;

// sin and cos of pi * x: x is reduced exactly first.
inline double sin_pi(double x) {
  double r = std::remainder(x, 2.0);  // exact, [-1, 1]
  if (std::fabs(r) == 1.0) return std::copysign(0.0, x);
  if (r > 0.5) r = 1.0 - r;
  if (r < -0.5) r = -1.0 - r;
  return std::sin(pi * r);
}
inline double cos_pi(double x) {
  double r = std::fabs(std::remainder(x, 2.0));
  if (r == 0.5) return 0.0;
  return r < 0.25 ? std::cos(pi * r) : r > 0.75 ? -std::cos(pi * (1.0 - r)) : std::sin(pi * (0.5 - r));
}

// exp(x * x) * erfc(x): the square is split so that its rounding does not grow in exp; then the asymptotic series.
inline double erfcx(double x) {
  if (x > 25.0) {
    double q = 1.0 / (2.0 * x * x), series = 1.0;
    for (int k = 10; k >= 1; --k) series = 1.0 - (2 * k - 1) * q * series;
    return series * two_over_root_pi / 2.0 / x;
  }
  double high = x * x, low = std::fma(x, x, -high);
  double scale = std::exp(high);
  if (std::isinf(scale)) return 2.0 * scale;
  return (scale + scale * low) * std::erfc(x);
}

// y with erfc(y) = x, by Newton's method on log(erfc), which is convex enough to converge from sqrt(-log x).
inline double erfcinv(double x) {
  if (std::isnan(x) || x < 0.0 || x > 2.0) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0.0) return std::numeric_limits<double>::infinity();
  if (x == 2.0) return -std::numeric_limits<double>::infinity();
  if (x > 1.0) return -erfcinv(2.0 - x);
  double y = x > 0.5 ? (1.0 - x) / two_over_root_pi : std::sqrt(-std::log(x)) * 0.8;
  for (int i = 0; i < 12; ++i) {
    double complement = std::erfc(y);
    double step = x > 0.5 ? ((1.0 - x) - std::erf(y)) / (two_over_root_pi * std::exp(-y * y))
                          : std::log(complement / x) * complement / (two_over_root_pi * std::exp(-y * y));
    y += step;
    if (std::fabs(step) <= 1e-16 * std::fabs(y)) break;
  }
  return y;
}

// Near 0 Newton's method on erf itself; towards 1 through the complement, which 1 - x gives exactly.
inline double erfinv(double x) {
  if (std::isnan(x) || std::fabs(x) > 1.0) return std::numeric_limits<double>::quiet_NaN();
  if (std::fabs(x) > 0.5) return std::copysign(erfcinv(1.0 - std::fabs(x)), x);
  double y = x / two_over_root_pi;
  for (int i = 0; i < 8; ++i) y += (x - std::erf(y)) / (two_over_root_pi * std::exp(-y * y));
  return y;
}

inline double normal_cdf(double x) { return 0.5 * std::erfc(-x * 0.70710678118654752440); }
inline double normal_cdf_inverse(double p) { return -1.41421356237309504880 * erfcinv(2.0 * p); }

// The modified Bessel function of order 0 or 1: the power series (all terms positive), or Hankel's expansion.
inline double bessel_i(int order, double x) {
  double magnitude = std::fabs(x), result;
  if (!std::isfinite(x)) return order == 0 ? magnitude : x;
  if (magnitude < 30.0) {
    double term = order == 0 ? 1.0 : magnitude / 2.0, sum = term;
    for (int k = 1; term > 1e-18 * sum; ++k) {
      term *= magnitude * magnitude / 4.0 / (double(k) * (k + order));
      sum += term;
    }
    result = sum;
  } else {
    double mu = 4.0 * order * order, term = 1.0, sum = 1.0;
    for (int k = 1; k < 30; ++k) {
      term *= -(mu - (2.0 * k - 1.0) * (2.0 * k - 1.0)) / (k * 8.0 * magnitude);
      sum += term;
      if (std::fabs(term) < 1e-18) break;
    }
    result = std::exp(magnitude - 0.5 * std::log(2.0 * pi * magnitude)) * sum;
  }
  return order == 1 && x < 0 ? -result : result;
}

}  // namespace cudashim
