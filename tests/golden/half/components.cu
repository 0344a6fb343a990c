// Components of pairs are written one by one, in registers, arrays and memory.
#include <cuda_fp16.h>

__global__ void swap_parts(const half2* x, half2* y) {
  half2 v = x[threadIdx.x];
  __half t = v.x;
  v.x = v.y;
  v.y = t;
  half2 both[2];
  both[0] = v;
  both[1].x = __high2half(v);
  both[1].y = __low2half(v);
  y[2 * threadIdx.x].x = both[0].x;
  y[2 * threadIdx.x].y = both[1].y;
  y[2 * threadIdx.x + 1] = both[1];
}
