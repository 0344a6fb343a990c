// Names and functions that the text leaves to headers that are not here.
#include "project/config.h"

__global__ void uses(const float* x, float* y) {
  y[threadIdx.x] = project_scale(x[threadIdx.x]);  // error: CU2001
}

__global__ void reads(const float* x, float* y) {
  y[threadIdx.x] = x[threadIdx.x] * kProjectScale;  // error: CU2002
}

// A class of a header that is not here.
__global__ void gather(const float* x, float* y, BatchOfRows batch) { y[threadIdx.x] = x[batch.first + threadIdx.x]; }  // error: CU2002
