// Thrust's function objects, by its documentation. They take and return values of one type.
#pragma once

namespace thrust {

template <typename T>
struct plus {
  __host__ __device__ T operator()(T a, T b) const { return a + b; }
};

template <typename T>
struct minus {
  __host__ __device__ T operator()(T a, T b) const { return a - b; }
};

template <typename T>
struct multiplies {
  __host__ __device__ T operator()(T a, T b) const { return a * b; }
};

template <typename T>
struct divides {
  __host__ __device__ T operator()(T a, T b) const { return a / b; }
};

template <typename T>
struct modulus {
  __host__ __device__ T operator()(T a, T b) const { return a % b; }
};

template <typename T>
struct negate {
  __host__ __device__ T operator()(T a) const { return -a; }
};

template <typename T>
struct square {
  __host__ __device__ T operator()(T a) const { return a * a; }
};

template <typename T>
struct identity {
  __host__ __device__ T operator()(T a) const { return a; }
};

template <typename T>
struct maximum {
  __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};

template <typename T>
struct minimum {
  __host__ __device__ T operator()(T a, T b) const { return a < b ? a : b; }
};

template <typename T>
struct equal_to {
  __host__ __device__ bool operator()(T a, T b) const { return a == b; }
};

template <typename T>
struct not_equal_to {
  __host__ __device__ bool operator()(T a, T b) const { return a != b; }
};

template <typename T>
struct less {
  __host__ __device__ bool operator()(T a, T b) const { return a < b; }
};

template <typename T>
struct less_equal {
  __host__ __device__ bool operator()(T a, T b) const { return a <= b; }
};

template <typename T>
struct greater {
  __host__ __device__ bool operator()(T a, T b) const { return a > b; }
};

template <typename T>
struct greater_equal {
  __host__ __device__ bool operator()(T a, T b) const { return a >= b; }
};

template <typename T>
struct logical_and {
  __host__ __device__ bool operator()(T a, T b) const { return a && b; }
};

template <typename T>
struct logical_or {
  __host__ __device__ bool operator()(T a, T b) const { return a || b; }
};

template <typename T>
struct logical_not {
  __host__ __device__ bool operator()(T a) const { return !a; }
};

template <typename T>
struct bit_and {
  __host__ __device__ T operator()(T a, T b) const { return a & b; }
};

template <typename T>
struct bit_or {
  __host__ __device__ T operator()(T a, T b) const { return a | b; }
};

template <typename T>
struct bit_xor {
  __host__ __device__ T operator()(T a, T b) const { return a ^ b; }
};

}  // namespace thrust
