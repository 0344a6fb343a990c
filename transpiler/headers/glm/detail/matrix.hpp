// GLM's matrices: C columns of R rows, columns one after the other.
#pragma once
#include "vector_arithmetic.hpp"

namespace glm {

template <int C, int R, typename T>
struct mat {
  vec<R, T> columns[C];
  mat() = default;
  __host__ __device__ explicit mat(T diagonal) {
    for (int c = 0; c < C; ++c) {
      vec<R, T> column(T(0));
      for (int r = 0; r < R; ++r) column[r] = c == r ? diagonal : T(0);
      columns[c] = column;
    }
  }
  __host__ __device__ mat(T a, T b, T c, T d) {
    T all[4] = {a, b, c, d};
    for (int c = 0; c < C; ++c) {
      vec<R, T> column(T(0));
      for (int r = 0; r < R; ++r) column[r] = all[c * R + r];
      columns[c] = column;
    }
  }
  __host__ __device__ mat(T a, T b, T c, T d, T e, T f) {
    T all[6] = {a, b, c, d, e, f};
    for (int c = 0; c < C; ++c) {
      vec<R, T> column(T(0));
      for (int r = 0; r < R; ++r) column[r] = all[c * R + r];
      columns[c] = column;
    }
  }
  __host__ __device__ mat(T a, T b, T c, T d, T e, T f, T g, T h, T i) {
    T all[9] = {a, b, c, d, e, f, g, h, i};
    for (int c = 0; c < C; ++c) {
      vec<R, T> column(T(0));
      for (int r = 0; r < R; ++r) column[r] = all[c * R + r];
      columns[c] = column;
    }
  }
  __host__ __device__ mat(T a, T b, T c, T d, T e, T f, T g, T h, T i, T j, T k, T l, T m, T n, T o, T p) {
    T all[16] = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p};
    for (int c = 0; c < C; ++c) {
      vec<R, T> column(T(0));
      for (int r = 0; r < R; ++r) column[r] = all[c * R + r];
      columns[c] = column;
    }
  }
  __host__ __device__ mat(vec<R, T> a, vec<R, T> b) {
    columns[0] = a;
    columns[1] = b;
  }
  __host__ __device__ mat(vec<R, T> a, vec<R, T> b, vec<R, T> c) {
    columns[0] = a;
    columns[1] = b;
    columns[2] = c;
  }
  __host__ __device__ mat(vec<R, T> a, vec<R, T> b, vec<R, T> c, vec<R, T> d) {
    columns[0] = a;
    columns[1] = b;
    columns[2] = c;
    columns[3] = d;
  }
  __host__ __device__ vec<R, T>& operator[](int c) { return columns[c]; }
  __host__ __device__ const vec<R, T>& operator[](int c) const { return columns[c]; }
};

using mat2 = mat<2, 2, float>;
using mat3 = mat<3, 3, float>;
using mat4 = mat<4, 4, float>;
using mat2x3 = mat<2, 3, float>;
using mat3x2 = mat<3, 2, float>;
using mat3x4 = mat<3, 4, float>;
using mat4x3 = mat<4, 3, float>;
using fmat2 = mat<2, 2, float>;
using fmat3 = mat<3, 3, float>;
using fmat4 = mat<4, 4, float>;

template <int C, int R, typename T>
__host__ __device__ mat<C, R, T> operator+(mat<C, R, T> a, mat<C, R, T> b) {
  mat<C, R, T> r;
  for (int c = 0; c < C; ++c) r[c] = a[c] + b[c];
  return r;
}

template <int C, int R, typename T>
__host__ __device__ mat<C, R, T>& operator+=(mat<C, R, T>& a, mat<C, R, T> b) {
  for (int c = 0; c < C; ++c) a[c] += b[c];
  return a;
}

template <int C, int R, typename T>
__host__ __device__ mat<C, R, T> operator-(mat<C, R, T> a, mat<C, R, T> b) {
  mat<C, R, T> r;
  for (int c = 0; c < C; ++c) r[c] = a[c] - b[c];
  return r;
}

template <int C, int R, typename T>
__host__ __device__ mat<C, R, T>& operator-=(mat<C, R, T>& a, mat<C, R, T> b) {
  for (int c = 0; c < C; ++c) a[c] -= b[c];
  return a;
}

template <int C, int R, typename T>
__host__ __device__ mat<C, R, T> operator-(mat<C, R, T> a) {
  mat<C, R, T> r;
  for (int c = 0; c < C; ++c) r[c] = -a[c];
  return r;
}

template <int C, int R, typename T>
__host__ __device__ mat<C, R, T> operator*(mat<C, R, T> a, T s) {
  mat<C, R, T> r;
  for (int c = 0; c < C; ++c) r[c] = a[c] * s;
  return r;
}

template <int C, int R, typename T>
__host__ __device__ mat<C, R, T> operator*(T s, mat<C, R, T> a) {
  return a * s;
}

template <int C, int R, typename T>
__host__ __device__ mat<C, R, T> operator/(mat<C, R, T> a, T s) {
  mat<C, R, T> r;
  for (int c = 0; c < C; ++c) r[c] = a[c] / s;
  return r;
}

template <int C, int R, typename T>
__host__ __device__ mat<C, R, T>& operator*=(mat<C, R, T>& a, T s) {
  for (int c = 0; c < C; ++c) a[c] *= s;
  return a;
}

template <int C, int R, typename T>
__host__ __device__ vec<R, T> operator*(mat<C, R, T> a, vec<C, T> v) {
  vec<R, T> r = a[0] * v[0];
  for (int c = 1; c < C; ++c) r += a[c] * v[c];
  return r;
}

template <int C, int R, typename T>
__host__ __device__ vec<C, T> operator*(vec<R, T> v, mat<C, R, T> a) {
  vec<C, T> r;
  for (int c = 0; c < C; ++c) {
    r[c] = a[c][0] * v[0];
    for (int i = 1; i < R; ++i) r[c] += a[c][i] * v[i];
  }
  return r;
}

template <int K, int R, int C, typename T>
__host__ __device__ mat<C, R, T> operator*(mat<K, R, T> a, mat<C, K, T> b) {
  mat<C, R, T> r;
  for (int c = 0; c < C; ++c) {
    r[c] = a[0] * b[c][0];
    for (int k = 1; k < K; ++k) r[c] += a[k] * b[c][k];
  }
  return r;
}

}  // namespace glm
