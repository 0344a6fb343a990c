// GLM's common functions, component by component.
#pragma once
#include "vector_arithmetic.hpp"

namespace glm {

template <int L, typename T>
__host__ __device__ vec<L, T> max(vec<L, T> a, vec<L, T> b) {
  vec<L, T> r;
  for (int i = 0; i < L; ++i) r[i] = a[i] < b[i] ? b[i] : a[i];
  return r;
}

template <int L, typename T>
__host__ __device__ vec<L, T> max(vec<L, T> a, T b) {
  return max(a, vec<L, T>(b));
}

template <int L, typename T>
__host__ __device__ vec<L, T> min(vec<L, T> a, vec<L, T> b) {
  vec<L, T> r;
  for (int i = 0; i < L; ++i) r[i] = b[i] < a[i] ? b[i] : a[i];
  return r;
}

template <int L, typename T>
__host__ __device__ vec<L, T> min(vec<L, T> a, T b) {
  return min(a, vec<L, T>(b));
}

template <int L, typename T>
__host__ __device__ vec<L, T> clamp(vec<L, T> v, T low, T high) {
  return min(max(v, low), high);
}

template <int L, typename T>
__host__ __device__ vec<L, T> clamp(vec<L, T> v, vec<L, T> low, vec<L, T> high) {
  return min(max(v, low), high);
}

template <int L, typename T>
__host__ __device__ vec<L, T> abs(vec<L, T> v) {
  vec<L, T> r;
  for (int i = 0; i < L; ++i) r[i] = v[i] < T(0) ? -v[i] : v[i];
  return r;
}

template <int L>
__host__ __device__ vec<L, float> floor(vec<L, float> v) {
  vec<L, float> r;
  for (int i = 0; i < L; ++i) r[i] = floorf(v[i]);
  return r;
}

template <int L>
__host__ __device__ vec<L, float> ceil(vec<L, float> v) {
  vec<L, float> r;
  for (int i = 0; i < L; ++i) r[i] = ceilf(v[i]);
  return r;
}

template <int L>
__host__ __device__ vec<L, float> fract(vec<L, float> v) {
  return v - floor(v);
}

template <int L>
__host__ __device__ vec<L, float> sqrt(vec<L, float> v) {
  vec<L, float> r;
  for (int i = 0; i < L; ++i) r[i] = sqrtf(v[i]);
  return r;
}

template <int L>
__host__ __device__ vec<L, float> exp(vec<L, float> v) {
  vec<L, float> r;
  for (int i = 0; i < L; ++i) r[i] = expf(v[i]);
  return r;
}

template <int L>
__host__ __device__ vec<L, float> pow(vec<L, float> v, vec<L, float> power) {
  vec<L, float> r;
  for (int i = 0; i < L; ++i) r[i] = powf(v[i], power[i]);
  return r;
}

}  // namespace glm
