// An overloaded shuffle wrapper with an #if on the CUDA version and a default width.
#if CUDA_VERSION >= 9000
#define FULL_MASK 0xffffffffu
#endif

template <typename T>
__device__ __forceinline__ T SHFL_DOWN(T v, unsigned int delta, int width = warpSize) {
#if CUDA_VERSION >= 9000
  return __shfl_down_sync(FULL_MASK, v, delta, width);
#else
  return __shfl_down(v, delta, width);
#endif
}
__device__ __forceinline__ float2 SHFL_DOWN(float2 v, unsigned int delta, int width = warpSize) {
  return make_float2(SHFL_DOWN(v.x, delta, width), SHFL_DOWN(v.y, delta, width));
}

__global__ void halves(const float2* x, float2* y) {
  float2 v = x[threadIdx.x];
  float2 w = SHFL_DOWN(v, 16);
  y[threadIdx.x] = make_float2(v.x + w.x, v.y + w.y);
}
