// A generator of cuRAND that is not translated.
#include <curand_kernel.h>

__global__ void noise(float* y, unsigned long long seed) {
  curandState state;  // error: CU3307
  curand_init(seed, threadIdx.x, 0, &state);
  y[threadIdx.x] = curand_uniform(&state);
}
