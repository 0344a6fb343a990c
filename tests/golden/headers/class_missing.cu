// A class from a header that is not here: what its methods write cannot be known.
#include "matrix.cuh"

__global__ void filled(float* out, int width) {
  Matrix view(out, width);  // error: CU2002
  view.set(blockIdx.x, threadIdx.x, 1.0f);
}
