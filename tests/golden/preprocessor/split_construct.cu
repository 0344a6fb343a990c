// An #if that splits one construct: one branch has to be chosen.
__global__ void clip(const float* x, float* y, int n) {
#ifdef STRIDED
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
#else
  if (int i = threadIdx.x; i < n) {
#endif
    y[i] = fminf(x[i], 1.0f);
  }
}
