#include <metal_stdlib>
using namespace metal;

// With 3 or 2 bits of mantissa and 4 or 5 of exponent, rounded to the nearest, ties to even; `largest` is the code of the
// largest finite value, to which too large ones are cut or behind which the next code is infinite (or, of e4m3, NaN).
inline uchar fp8_from_float(float value, bool saturates, int mantissa, uint largest) {
  const uint bits = as_type<uint>(value), magnitude = bits & 0x7fffffffu;
  const uint sign = (bits >> 24) & 0x80u, bias = mantissa == 3 ? 7u : 15u;
  if (magnitude > 0x7f800000u) return mantissa == 3 ? sign | 0x7fu : 0x7fu;
  uint code;
  if (magnitude < (128u - bias) << 23) {  // below the normal values: in units of the smallest one
    code = (uint)rint(as_type<float>(magnitude) * as_type<float>((126u + bias + mantissa) << 23));
  } else {
    const uint odd = (magnitude >> (23 - mantissa)) & 1u;
    code = ((magnitude + (1u << (22 - mantissa)) - 1u + odd) >> (23 - mantissa)) - ((127u - bias) << mantissa);
  }
  if (code > largest) code = saturates ? largest : (mantissa == 3 ? 0x7fu : 0x7cu);
  return sign | code;
}

inline float float_from_e4m3(uchar code) {
  const uint magnitude = code & 0x7fu, sign = (code & 0x80u) << 24;
  if (magnitude == 0x7fu) return as_type<float>(0x7fffffffu);
  const float small = magnitude * 0.001953125f;  // 2^-9
  return as_type<float>(sign | (magnitude < 8u ? as_type<uint>(small) : (magnitude << 20) + (120u << 23)));
}

struct __nv_fp8_e4m3 {
  uchar __x;
  __nv_fp8_e4m3() = default;
  explicit __nv_fp8_e4m3(float v) : __x(fp8_from_float(v, true, 3, 0x7e)) {}
  explicit operator float() const { return float_from_e4m3(__x); }
};

inline float float_from_e5m2(uchar code) {
  return float(as_type<half>(ushort((ushort)(code << 8))));
}

struct __nv_fp8_e5m2 {
  uchar __x;
  __nv_fp8_e5m2() = default;
  explicit __nv_fp8_e5m2(float v) : __x(fp8_from_float(v, true, 2, 0x7b)) {}
  explicit operator float() const { return float_from_e5m2(__x); }
};

typedef uchar __nv_fp8_storage_t;

enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };

enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

inline uchar __nv_cvt_float_to_fp8(float v, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  const bool saturates = s == __NV_SATFINITE;
  return k == __NV_E4M3 ? fp8_from_float(v, saturates, 3, 0x7e) : fp8_from_float(v, saturates, 2, 0x7b);
}

// Every value of both types is one of a half.
inline half __nv_cvt_fp8_to_halfraw(uchar v, __nv_fp8_interpretation_t k) {
  return half(k == __NV_E4M3 ? float_from_e4m3(v) : float_from_e5m2(v));
}

template <typename T>
[[kernel]] void quantise(
    const device T* x [[buffer(0)]],
    const device float* scale [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device uchar* out [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  device __nv_fp8_e4m3* out_typed = (device __nv_fp8_e4m3*)out;
  const int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) out_typed[i] = __nv_fp8_e4m3(static_cast<float>(x[i]) / *scale);
}

[[kernel]] void dequantise(
    const device uchar* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  const device __nv_fp8_e5m2* x_typed = (const device __nv_fp8_e5m2*)x;
  const int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) out[i] = static_cast<float>(x_typed[i]) * 0.5f;
}

[[kernel]] void convert(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device uchar* bytes [[buffer(2)]],
    device half* back [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  const int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= n) return;
  const __nv_fp8_storage_t small = __nv_cvt_float_to_fp8(x[i], __NV_SATFINITE, __NV_E4M3);
  const uchar wide = __nv_cvt_float_to_fp8(x[i] * 1e5f, __NV_NOSAT, __NV_E5M2);
  bytes[i] = small ^ wide;
  back[i] = half(__nv_cvt_fp8_to_halfraw(small, __NV_E4M3)) + half(__nv_cvt_fp8_to_halfraw(wide, __NV_E5M2));
}
