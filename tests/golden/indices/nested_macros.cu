// The thread index comes from macros inside macros.
#define THREAD(d) threadIdx.d
#define BLOCK_START(d) (blockIdx.d * blockDim.d)
#define GLOBAL(d) (BLOCK_START(d) + THREAD(d))
#define FOR_EACH(i, n) for (int i = GLOBAL(x); i < (n); i += blockDim.x * gridDim.x)

__global__ void square(const float* x, float* y, int n) {
  FOR_EACH(i, n) {
    y[i] = x[i] * x[i];
  }
}
