// Functions of GLM's matrices.
#pragma once
#include "matrix.hpp"

namespace glm {

template <int C, int R, typename T>
__host__ __device__ mat<R, C, T> transpose(mat<C, R, T> a) {
  mat<R, C, T> r;
  for (int c = 0; c < C; ++c)
    for (int i = 0; i < R; ++i) r[i][c] = a[c][i];
  return r;
}

// `column` times `row` transposed.
template <int C, int R, typename T>
__host__ __device__ mat<C, R, T> outerProduct(vec<R, T> column, vec<C, T> row) {
  mat<C, R, T> r;
  for (int c = 0; c < C; ++c) r[c] = column * row[c];
  return r;
}

template <typename T>
__host__ __device__ T determinant(mat<2, 2, T> m) {
  return m[0][0] * m[1][1] - m[1][0] * m[0][1];
}

template <typename T>
__host__ __device__ T determinant(mat<3, 3, T> m) {
  return m[0][0] * (m[1][1] * m[2][2] - m[2][1] * m[1][2]) - m[1][0] * (m[0][1] * m[2][2] - m[2][1] * m[0][2]) +
         m[2][0] * (m[0][1] * m[1][2] - m[1][1] * m[0][2]);
}

template <typename T>
__host__ __device__ mat<2, 2, T> inverse(mat<2, 2, T> m) {
  T s = T(1) / determinant(m);
  return mat<2, 2, T>(m[1][1] * s, -m[0][1] * s, -m[1][0] * s, m[0][0] * s);
}

// The cofactors over the determinant.
template <typename T>
__host__ __device__ mat<3, 3, T> inverse(mat<3, 3, T> m) {
  T s = T(1) / determinant(m);
  mat<3, 3, T> r;
  for (int c = 0; c < 3; ++c) {
    for (int i = 0; i < 3; ++i) {
      int a = (i + 1) % 3, b = (i + 2) % 3, p = (c + 1) % 3, q = (c + 2) % 3;
      r[c][i] = (m[a][p] * m[b][q] - m[b][p] * m[a][q]) * s;
    }
  }
  return r;
}

}  // namespace glm
