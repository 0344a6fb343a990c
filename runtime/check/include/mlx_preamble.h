// What mx.fast.metal_kernel puts before a custom kernel (MLX 0.32.4), as declarations written afresh.
#pragma once
#include <metal_stdlib>
#include <metal_logging>
#include "mlx_bfloat16.h"
#include "mlx_complex.h"

using namespace metal;

#define MTL_CONST constant
#define MLX_MTL_PRAGMA_UNROLL _Pragma("clang loop unroll(full)")
#define instantiate_kernel(name, func, ...) template decltype(func<__VA_ARGS__>) func<__VA_ARGS__>;

static constant constexpr int MAX_REDUCE_SPECIALIZED_DIMS = 4;
static constant constexpr int REDUCE_N_READS = 4;
static constant constexpr int REDUCE_N_WRITES = 4;
static constant constexpr int SOFTMAX_N_READS = 4;
static constant constexpr int RMS_N_READS = 4;
static constant constexpr int RMS_LOOPED_LIMIT = 4096;

template <class U>
struct WorkPerThread {
  static constexpr constant int n = 8 / sizeof(U);
};

// Lowest and highest values; infinities for floating-point types.
template <class U>
struct Limits {
  static constexpr constant bool __floating = is_floating_point_v<U>;
  static constexpr constant U max = __floating ? numeric_limits<U>::infinity() : numeric_limits<U>::max();
  static constexpr constant U min = __floating ? U(-numeric_limits<U>::infinity()) : numeric_limits<U>::min();
  static constexpr constant U finite_max = numeric_limits<U>::max();
  static constexpr constant U finite_min = numeric_limits<U>::lowest();
};
template <class T>
struct Limits<complex_t<T>> {
  static constexpr constant complex_t<T> max = complex_t<T>(numeric_limits<T>::infinity(), numeric_limits<T>::infinity());
  static constexpr constant complex_t<T> min = complex_t<T>(T(-numeric_limits<T>::infinity()), T(-numeric_limits<T>::infinity()));
};

// Where a flat index lies in a strided array.
template <class I = int64_t>
I elem_to_loc(I, const constant int* shape, const constant int64_t* strides, int ndim);
template <class I = int64_t>
I elem_to_loc(uint3, const constant int* shape, const constant int64_t* strides, int ndim);
template <class I = int64_t>
I elem_to_loc_1(uint, const constant int64_t& stride);
template <class I = int64_t>
I elem_to_loc_2(uint2, const constant int64_t strides[2]);
template <class I = int64_t>
I elem_to_loc_3(uint3, const constant int64_t strides[3]);
template <class I = int64_t>
vec<I, 2> elem_to_loc_2_nd(uint3, const constant int*, const constant int64_t*, const constant int64_t*, int);
template <class I = int64_t>
vec<I, 3> elem_to_loc_3_nd(
    uint3, const constant int*, const constant int64_t*, const constant int64_t*, const constant int64_t*, int);

template <int DIM, class OffsetT = size_t, bool General = true>
struct LoopedElemToLoc {
  LoopedElemToLoc(int dim) thread;
  void next(const constant int* shape, const constant int64_t* strides) thread;
  void next(int n, const constant int* shape, const constant int64_t* strides) thread;
  OffsetT location() thread;
};

template <class T, class U>
inline T ceildiv(T n, U m) {
  return (n + m - 1) / m;
}
float log1p(float);
bfloat log1p(bfloat);
complex64_t log1p(complex64_t);
float hypot(float, float);
template <class U, class T>
U cast_to(T);
template <bool condition, class T, class U>
using ConditionalType = conditional<condition, T, U>;

// 64-bit, bool and complex values move between lanes through these.
#define __MLX_MOVES(T)                      \
  T simd_shuffle(T, uint16_t);              \
  T simd_shuffle_down(T, uint16_t);         \
  T simd_shuffle_up(T, uint16_t);           \
  T simd_shuffle_and_fill_up(T, T, uint16_t);
__MLX_MOVES(uint64_t)
__MLX_MOVES(int64_t)
__MLX_MOVES(bool)
__MLX_MOVES(complex64_t)
#undef __MLX_MOVES
