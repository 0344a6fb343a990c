// 8-bit floating-point values: as a type, as bytes, and the functions that convert them.
#include <cuda_fp16.h>
#include <cuda_fp8.h>

template <typename T>
__global__ void quantise(const T* x, const float* scale, __nv_fp8_e4m3* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __nv_fp8_e4m3(static_cast<float>(x[i]) / *scale);
}

__global__ void dequantise(const __nv_fp8_e5m2* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = static_cast<float>(x[i]) * 0.5f;
}

__global__ void convert(const float* x, unsigned char* bytes, half* back, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __nv_fp8_storage_t small = __nv_cvt_float_to_fp8(x[i], __NV_SATFINITE, __NV_E4M3);
  const unsigned char wide = __nv_cvt_float_to_fp8(x[i] * 1e5f, __NV_NOSAT, __NV_E5M2);
  bytes[i] = small ^ wide;
  back[i] = __half(__nv_cvt_fp8_to_halfraw(small, __NV_E4M3)) + __half(__nv_cvt_fp8_to_halfraw(wide, __NV_E5M2));
}
