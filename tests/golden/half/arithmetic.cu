// half: conversions, intrinsics, pairs and their components.
#include <cuda_fp16.h>

__global__ void scale(const __half* x, half* y, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __float2half(__half2float(x[i]) * factor);
}

__global__ void pairs(const half2* x, half2* y) {
  half2 v = x[threadIdx.x];
  v.x = __hadd(v.x, __float2half(1.0f));
  v.y = v.y * v.x;
  half2 w = __hfma2(v, v, __float2half2_rn(0.5f));
  float2 f = __half22float2(w);
  y[threadIdx.x] = __floats2half2_rn(f.x, __low2float(w));
}

__global__ void compare(const __half* a, const __half* b, __half* y) {
  __half m = __hgt(a[threadIdx.x], b[threadIdx.x]) ? a[threadIdx.x] : b[threadIdx.x];
  y[threadIdx.x] = hexp(m);
}
