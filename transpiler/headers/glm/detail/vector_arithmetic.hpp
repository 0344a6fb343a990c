// Arithmetic of GLM's vectors, with each other and with a number on either side.
#pragma once
#include "vector.hpp"

namespace glm {

template <int L, typename T>
__host__ __device__ vec<L, T> operator+(vec<L, T> a, vec<L, T> b) {
  vec<L, T> r;
  for (int i = 0; i < L; ++i) r[i] = a[i] + b[i];
  return r;
}

template <int L, typename T>
__host__ __device__ vec<L, T> operator+(vec<L, T> a, T b) {
  vec<L, T> r;
  for (int i = 0; i < L; ++i) r[i] = a[i] + b;
  return r;
}

template <int L, typename T>
__host__ __device__ vec<L, T> operator+(T a, vec<L, T> b) {
  vec<L, T> r;
  for (int i = 0; i < L; ++i) r[i] = a + b[i];
  return r;
}

template <int L, typename T>
__host__ __device__ vec<L, T>& operator+=(vec<L, T>& a, vec<L, T> b) {
  for (int i = 0; i < L; ++i) a[i] = a[i] + b[i];
  return a;
}

template <int L, typename T>
__host__ __device__ vec<L, T>& operator+=(vec<L, T>& a, T b) {
  for (int i = 0; i < L; ++i) a[i] = a[i] + b;
  return a;
}

template <int L, typename T>
__host__ __device__ vec<L, T> operator-(vec<L, T> a, vec<L, T> b) {
  vec<L, T> r;
  for (int i = 0; i < L; ++i) r[i] = a[i] - b[i];
  return r;
}

template <int L, typename T>
__host__ __device__ vec<L, T> operator-(vec<L, T> a, T b) {
  vec<L, T> r;
  for (int i = 0; i < L; ++i) r[i] = a[i] - b;
  return r;
}

template <int L, typename T>
__host__ __device__ vec<L, T> operator-(T a, vec<L, T> b) {
  vec<L, T> r;
  for (int i = 0; i < L; ++i) r[i] = a - b[i];
  return r;
}

template <int L, typename T>
__host__ __device__ vec<L, T>& operator-=(vec<L, T>& a, vec<L, T> b) {
  for (int i = 0; i < L; ++i) a[i] = a[i] - b[i];
  return a;
}

template <int L, typename T>
__host__ __device__ vec<L, T>& operator-=(vec<L, T>& a, T b) {
  for (int i = 0; i < L; ++i) a[i] = a[i] - b;
  return a;
}

template <int L, typename T>
__host__ __device__ vec<L, T> operator*(vec<L, T> a, vec<L, T> b) {
  vec<L, T> r;
  for (int i = 0; i < L; ++i) r[i] = a[i] * b[i];
  return r;
}

template <int L, typename T>
__host__ __device__ vec<L, T> operator*(vec<L, T> a, T b) {
  vec<L, T> r;
  for (int i = 0; i < L; ++i) r[i] = a[i] * b;
  return r;
}

template <int L, typename T>
__host__ __device__ vec<L, T> operator*(T a, vec<L, T> b) {
  vec<L, T> r;
  for (int i = 0; i < L; ++i) r[i] = a * b[i];
  return r;
}

template <int L, typename T>
__host__ __device__ vec<L, T>& operator*=(vec<L, T>& a, vec<L, T> b) {
  for (int i = 0; i < L; ++i) a[i] = a[i] * b[i];
  return a;
}

template <int L, typename T>
__host__ __device__ vec<L, T>& operator*=(vec<L, T>& a, T b) {
  for (int i = 0; i < L; ++i) a[i] = a[i] * b;
  return a;
}

template <int L, typename T>
__host__ __device__ vec<L, T> operator/(vec<L, T> a, vec<L, T> b) {
  vec<L, T> r;
  for (int i = 0; i < L; ++i) r[i] = a[i] / b[i];
  return r;
}

template <int L, typename T>
__host__ __device__ vec<L, T> operator/(vec<L, T> a, T b) {
  vec<L, T> r;
  for (int i = 0; i < L; ++i) r[i] = a[i] / b;
  return r;
}

template <int L, typename T>
__host__ __device__ vec<L, T> operator/(T a, vec<L, T> b) {
  vec<L, T> r;
  for (int i = 0; i < L; ++i) r[i] = a / b[i];
  return r;
}

template <int L, typename T>
__host__ __device__ vec<L, T>& operator/=(vec<L, T>& a, vec<L, T> b) {
  for (int i = 0; i < L; ++i) a[i] = a[i] / b[i];
  return a;
}

template <int L, typename T>
__host__ __device__ vec<L, T>& operator/=(vec<L, T>& a, T b) {
  for (int i = 0; i < L; ++i) a[i] = a[i] / b;
  return a;
}

template <int L, typename T>
__host__ __device__ vec<L, T> operator-(vec<L, T> a) {
  vec<L, T> r;
  for (int i = 0; i < L; ++i) r[i] = -a[i];
  return r;
}

template <int L, typename T>
__host__ __device__ bool operator==(vec<L, T> a, vec<L, T> b) {
  bool same = true;
  for (int i = 0; i < L; ++i) same = same && a[i] == b[i];
  return same;
}

template <int L, typename T>
__host__ __device__ bool operator!=(vec<L, T> a, vec<L, T> b) {
  bool same = true;
  for (int i = 0; i < L; ++i) same = same && a[i] == b[i];
  return !same;
}

}  // namespace glm
