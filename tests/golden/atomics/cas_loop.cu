// The maximum of floats by a loop over compare-and-swap.
__device__ float atomicMaxFloat(float* address, float value) {
  int* as_int = (int*)address;
  int old = *as_int, assumed;
  do {
    assumed = old;
    old = atomicCAS(as_int, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
  } while (assumed != old);
  return __int_as_float(old);
}

__global__ void column_max(const float* x, float* y, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMaxFloat(&y[i % width], x[i]);
}
