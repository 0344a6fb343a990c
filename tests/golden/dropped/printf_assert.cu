// printf and assert have no effect on results: they go, with a warning.
#include <assert.h>
#include <stdio.h>

__global__ void checked(const int* x, int* y, int n) {
  int i = threadIdx.x;
  assert(n > 0);  // warning: CU4202
  if (x[i] < 0) printf("negative at %d\n", i);  // warning: CU4201
  y[i] = x[i];
}
