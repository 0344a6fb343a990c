// A grid-wide barrier inside a kernel.
#include <cooperative_groups.h>

__global__ void two_phases(float* x) {
  auto grid = cooperative_groups::this_grid();
  x[threadIdx.x] += 1.0f;
  grid.sync();  // error: CU3201
  x[threadIdx.x] *= 2.0f;
}
