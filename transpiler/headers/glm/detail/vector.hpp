// GLM's vectors as kernels use them, by its documentation: L values in a row, arithmetic by component.
#pragma once

namespace glm {

template <int L, typename T>
struct vec;

template <typename T>
struct vec<2, T> {
  T x, y;
  vec() = default;
  __host__ __device__ explicit vec(T s) : x(s), y(s) {}
  __host__ __device__ vec(T a, T b) : x(a), y(b) {}
  __host__ __device__ explicit vec(vec<3, T> v) : x(v.x), y(v.y) {}
  __host__ __device__ explicit vec(vec<4, T> v) : x(v.x), y(v.y) {}
  __host__ __device__ T& operator[](int i) { return (&x)[i]; }
  __host__ __device__ const T& operator[](int i) const { return (&x)[i]; }
};

template <typename T>
struct vec<3, T> {
  T x, y, z;
  vec() = default;
  __host__ __device__ explicit vec(T s) : x(s), y(s), z(s) {}
  __host__ __device__ vec(T a, T b, T c) : x(a), y(b), z(c) {}
  __host__ __device__ vec(vec<2, T> v, T c) : x(v.x), y(v.y), z(c) {}
  __host__ __device__ explicit vec(vec<4, T> v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ T& operator[](int i) { return (&x)[i]; }
  __host__ __device__ const T& operator[](int i) const { return (&x)[i]; }
};

template <typename T>
struct vec<4, T> {
  T x, y, z, w;
  vec() = default;
  __host__ __device__ explicit vec(T s) : x(s), y(s), z(s), w(s) {}
  __host__ __device__ vec(T a, T b, T c, T d) : x(a), y(b), z(c), w(d) {}
  __host__ __device__ vec(vec<3, T> v, T d) : x(v.x), y(v.y), z(v.z), w(d) {}
  __host__ __device__ vec(vec<2, T> v, T c, T d) : x(v.x), y(v.y), z(c), w(d) {}
  __host__ __device__ T& operator[](int i) { return (&x)[i]; }
  __host__ __device__ const T& operator[](int i) const { return (&x)[i]; }
};

using vec2 = vec<2, float>;
using vec3 = vec<3, float>;
using vec4 = vec<4, float>;
using fvec2 = vec<2, float>;
using fvec3 = vec<3, float>;
using fvec4 = vec<4, float>;
using ivec2 = vec<2, int>;
using ivec3 = vec<3, int>;
using ivec4 = vec<4, int>;
using uvec2 = vec<2, unsigned int>;
using uvec3 = vec<3, unsigned int>;
using uvec4 = vec<4, unsigned int>;

}  // namespace glm
