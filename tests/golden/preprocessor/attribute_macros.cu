// An attribute macro alone on its line, and bare macro statements in a row, that no header defines.
MY_KERNEL_ATTRIBUTE
__global__ void first(const float* x, float* y) {
  TRACE_ENTER
  TRACE_STEP
  y[threadIdx.x] = x[threadIdx.x];  // error: CU1101
  TRACE_LEAVE
}

EXPORTED
__device__ float half_of(float v) { return v * 0.5f; }

__global__ void second(const float* x, float* y) {
  y[threadIdx.x] = half_of(x[threadIdx.x]);
}
