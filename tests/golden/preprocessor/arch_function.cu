// A host and device function with a body that depends on the architecture.
__host__ __device__ inline float reciprocal(float v) {
#ifdef __CUDA_ARCH__
  return __frcp_rn(v);
#else
  return 1.0f / v;
#endif
}

__global__ void invert(const float* x, float* y) {
  y[threadIdx.x] = reciprocal(x[threadIdx.x]);
}
