// bfloat16 storage, float arithmetic; pairs.
#include <cuda_bf16.h>

__global__ void silu(const __nv_bfloat16* x, __nv_bfloat16* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = __bfloat162float(x[i]);
    y[i] = __float2bfloat16(v / (1.0f + expf(-v)));
  }
}

__global__ void add_pairs(const __nv_bfloat162* a, const __nv_bfloat162* b, __nv_bfloat162* y) {
  int i = threadIdx.x;
  y[i] = __hadd2(a[i], b[i]);
}
