// What the support library has no part for, or Metal no place.
#include <cub/cub.cuh>

__global__ void heads(const int* x, int* flags) {
  using Heads = cub::BlockDiscontinuity<int, 128>;  // error: CU3712
  __shared__ typename Heads::TempStorage temp;
  int items[1] = {x[threadIdx.x]}, found[1];
  Heads(temp).FlagHeads(found, items, cub::Inequality());  // error: CU3712
  flags[threadIdx.x] = found[0];
}

__global__ void no_such_method(const float* x, float* y) {
  using Reduce = cub::BlockReduce<float, 128>;
  __shared__ typename Reduce::TempStorage temp;
  y[0] = Reduce(temp).Median(x[threadIdx.x]);  // error: CU3712
}
