// A device function in another file.
#include "helper.cuh"

__global__ void smooth(const float* x, float* y, int n) {
  int i = threadIdx.x;
  y[i] = lerp_between(x[i], x[min(i + 1, n - 1)], 0.5f);
}
