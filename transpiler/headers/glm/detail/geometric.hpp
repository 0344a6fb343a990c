// GLM's geometric functions.
#pragma once
#include "vector_arithmetic.hpp"

namespace glm {

template <int L, typename T>
__host__ __device__ T dot(vec<L, T> a, vec<L, T> b) {
  T sum = a[0] * b[0];
  for (int i = 1; i < L; ++i) sum += a[i] * b[i];
  return sum;
}

template <int L, typename T>
__host__ __device__ T length(vec<L, T> v) {
  return sqrtf(dot(v, v));
}

template <int L, typename T>
__host__ __device__ T distance(vec<L, T> a, vec<L, T> b) {
  return length(b - a);
}

template <int L, typename T>
__host__ __device__ vec<L, T> normalize(vec<L, T> v) {
  return v * (1.0f / sqrtf(dot(v, v)));
}

template <typename T>
__host__ __device__ vec<3, T> cross(vec<3, T> a, vec<3, T> b) {
  return vec<3, T>(a.y * b.z - b.y * a.z, a.z * b.x - b.z * a.x, a.x * b.y - b.x * a.y);
}

template <int L, typename T>
__host__ __device__ vec<L, T> mix(vec<L, T> a, vec<L, T> b, T t) {
  return a * (T(1) - t) + b * t;
}

__host__ __device__ float atan(float y, float x) { return atan2f(y, x); }

}  // namespace glm
