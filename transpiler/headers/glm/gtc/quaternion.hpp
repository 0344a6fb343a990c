// GLM's quaternions: x, y, z, w in memory, w first in the constructor.
#pragma once
#include "../glm.hpp"

namespace glm {

template <typename T>
struct qua {
  T x, y, z, w;
  qua() = default;
  __host__ __device__ qua(T w_, T x_, T y_, T z_) : x(x_), y(y_), z(z_), w(w_) {}
  __host__ __device__ qua(T s, vec<3, T> v) : x(v.x), y(v.y), z(v.z), w(s) {}
};

using quat = qua<float>;
using fquat = qua<float>;

template <typename T>
__host__ __device__ qua<T> operator*(qua<T> a, T s) {
  return qua<T>(a.w * s, a.x * s, a.y * s, a.z * s);
}

template <typename T>
__host__ __device__ qua<T> operator+(qua<T> a, qua<T> b) {
  return qua<T>(a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z);
}

template <typename T>
__host__ __device__ qua<T> operator*(qua<T> p, qua<T> q) {
  return qua<T>(p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z, p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                p.w * q.y + p.y * q.w + p.z * q.x - p.x * q.z, p.w * q.z + p.z * q.w + p.x * q.y - p.y * q.x);
}

template <typename T>
__host__ __device__ T dot(qua<T> a, qua<T> b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

template <typename T>
__host__ __device__ T length(qua<T> q) {
  return sqrtf(dot(q, q));
}

template <typename T>
__host__ __device__ qua<T> conjugate(qua<T> q) {
  return qua<T>(q.w, -q.x, -q.y, -q.z);
}

template <typename T>
__host__ __device__ qua<T> inverse(qua<T> q) {
  return conjugate(q) * (T(1) / dot(q, q));
}

template <typename T>
__host__ __device__ qua<T> normalize(qua<T> q) {
  T size = length(q);
  if (size <= T(0)) return qua<T>(T(1), T(0), T(0), T(0));
  return q * (T(1) / size);
}

// A vector turned by a unit quaternion.
template <typename T>
__host__ __device__ vec<3, T> operator*(qua<T> q, vec<3, T> v) {
  vec<3, T> axis(q.x, q.y, q.z);
  vec<3, T> once = cross(axis, v);
  vec<3, T> twice = cross(axis, once);
  return v + (once * q.w + twice) * T(2);
}

template <typename T>
__host__ __device__ vec<3, T> rotate(qua<T> q, vec<3, T> v) {
  return q * v;
}

// The shorter way on the sphere; straight where the two are nearly the same.
template <typename T>
__host__ __device__ qua<T> slerp(qua<T> x, qua<T> y, T a) {
  T cosine = dot(x, y);
  qua<T> z = y;
  if (cosine < T(0)) {
    z = y * T(-1);
    cosine = -cosine;
  }
  if (cosine > T(1) - T(1.1920929e-7f)) return x * (T(1) - a) + z * a;
  T angle = acosf(cosine);
  return (x * sinf((T(1) - a) * angle) + z * sinf(a * angle)) * (T(1) / sinf(angle));
}

// From a rotation matrix, by the largest component.
template <typename T>
__host__ __device__ qua<T> quat_cast(mat<3, 3, T> m) {
  T x = m[0][0] - m[1][1] - m[2][2], y = m[1][1] - m[0][0] - m[2][2];
  T z = m[2][2] - m[0][0] - m[1][1], w = m[0][0] + m[1][1] + m[2][2];
  int largest = 0;
  T most = w;
  if (x > most) { most = x; largest = 1; }
  if (y > most) { most = y; largest = 2; }
  if (z > most) { most = z; largest = 3; }
  T value = sqrtf(most + T(1)) * T(0.5f);
  T s = T(0.25f) / value;
  T yz = (m[1][2] - m[2][1]) * s, zx = (m[2][0] - m[0][2]) * s, xy = (m[0][1] - m[1][0]) * s;
  T xy_sum = (m[0][1] + m[1][0]) * s, zx_sum = (m[2][0] + m[0][2]) * s, yz_sum = (m[1][2] + m[2][1]) * s;
  if (largest == 0) return qua<T>(value, yz, zx, xy);
  if (largest == 1) return qua<T>(yz, value, xy_sum, zx_sum);
  if (largest == 2) return qua<T>(zx, xy_sum, value, yz_sum);
  return qua<T>(xy, zx_sum, yz_sum, value);
}

template <typename T>
__host__ __device__ mat<3, 3, T> mat3_cast(qua<T> q) {
  T xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xz = q.x * q.z, xy = q.x * q.y, yz = q.y * q.z;
  T wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return mat<3, 3, T>(T(1) - T(2) * (yy + zz), T(2) * (xy + wz), T(2) * (xz - wy), T(2) * (xy - wz),
                      T(1) - T(2) * (xx + zz), T(2) * (yz + wx), T(2) * (xz + wy), T(2) * (yz - wx),
                      T(1) - T(2) * (xx + yy));
}

}  // namespace glm
