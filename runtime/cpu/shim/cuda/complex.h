// cuComplex.h: single-precision complex numbers. The pairs of double are types only.
#pragma once
#include <cmath>
#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef float2 cuComplex;
typedef double2 cuDoubleComplex;

static inline cuFloatComplex make_cuFloatComplex(float re, float im) { return {re, im}; }
static inline cuComplex make_cuComplex(float re, float im) { return {re, im}; }
static inline cuDoubleComplex make_cuDoubleComplex(double re, double im) { return {re, im}; }
static inline float cuCrealf(cuFloatComplex z) { return z.x; }
static inline float cuCimagf(cuFloatComplex z) { return z.y; }
static inline cuFloatComplex cuConjf(cuFloatComplex z) { return {z.x, -z.y}; }
static inline cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b) { return {a.x + b.x, a.y + b.y}; }
static inline cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b) { return {a.x - b.x, a.y - b.y}; }
static inline cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
static inline cuFloatComplex cuCfmaf(cuComplex a, cuComplex b, cuComplex c) { return cuCaddf(cuCmulf(a, b), c); }
// The divisor is scaled, so that its square neither overflows nor vanishes.
static inline cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b) {
  const float scale = 1.0f / (std::fabs(b.x) + std::fabs(b.y));
  const float2 n = {a.x * scale, a.y * scale}, d = {b.x * scale, b.y * scale};
  const float inverse = 1.0f / (d.x * d.x + d.y * d.y);
  return {(n.x * d.x + n.y * d.y) * inverse, (n.y * d.x - n.x * d.y) * inverse};
}
static inline float cuCabsf(cuFloatComplex z) { return std::hypot(z.x, z.y); }
