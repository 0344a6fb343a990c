// CUDA's 8-bit floating-point types, by its documentation: e4m3 without infinities, e5m2 as the upper byte of a half.
#pragma once
#include "cuda_fp8_bits.h"

namespace std {  // which leaves it out of the original: CUDA's compiler has its own

typedef unsigned char __nv_fp8_storage_t;

struct __nv_fp8_e4m3 {
  unsigned char __x;
  __nv_fp8_e4m3() = default;
  __host__ __device__ explicit __nv_fp8_e4m3(float v) : __x(fp8_from_float(v, true, 3, 0x7e)) {}
  __host__ __device__ explicit operator float() const { return float_from_e4m3(__x); }
};

struct __nv_fp8_e5m2 {
  unsigned char __x;
  __nv_fp8_e5m2() = default;
  __host__ __device__ explicit __nv_fp8_e5m2(float v) : __x(fp8_from_float(v, true, 2, 0x7b)) {}
  __host__ __device__ explicit operator float() const { return float_from_e5m2(__x); }
};

enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

__host__ __device__ inline unsigned char __nv_cvt_float_to_fp8(float v, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  const bool saturates = s == __NV_SATFINITE;
  return k == __NV_E4M3 ? fp8_from_float(v, saturates, 3, 0x7e) : fp8_from_float(v, saturates, 2, 0x7b);
}

__host__ __device__ inline unsigned char __nv_cvt_halfraw_to_fp8(__half v, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return __nv_cvt_float_to_fp8(__half2float(v), s, k);
}

__host__ __device__ inline unsigned char __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16 v, __nv_saturation_t s,
                                                                     __nv_fp8_interpretation_t k) {
  return __nv_cvt_float_to_fp8(__bfloat162float(v), s, k);
}

// Every value of both types is one of a half.
__host__ __device__ inline __half __nv_cvt_fp8_to_halfraw(unsigned char v, __nv_fp8_interpretation_t k) {
  return __float2half(k == __NV_E4M3 ? float_from_e4m3(v) : float_from_e5m2(v));
}

}  // namespace std
