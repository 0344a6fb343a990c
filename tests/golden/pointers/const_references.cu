// References to constants: of an element where it has the reference's type, of a value that is made where it has not.
#include <cuda_fp16.h>

struct Block { half scale; signed char values[2]; };

__device__ float scaled(const float& scale, const int& value) { return scale * value; }

__global__ void unpack(const Block* blocks, const int* counts, const float* scales, float* y) {
  const int i = threadIdx.x;
  const Block& block = blocks[i];
  y[i] = scaled(block.scale, block.values[0]) + scaled(scales[i], counts[i]) + scaled(2, block.values[1]);
}
