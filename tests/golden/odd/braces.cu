// A brace too many, brackets and a brace missing: kernels that the parser loses are named all the same.
__global__ void fill(float* x) { x[threadIdx.x] = 1.0f; }

__global__ void add(float* x) { x[threadIdx.x] = (x[0] + 1.0f; }  // error: CU1102
}

__global__ void negate(float* x) { x[threadIdx.x = -x[0]; }  // error: CU1102

__global__ void prototype(float* x);

__global__ void scale(float* x, float s, int n) {
  if (threadIdx.x < n) {
    x[threadIdx.x] *= s;
}

__global__ void __launch_bounds__(256) shift(float* x, float s) { x[threadIdx.x] += s; }  // error: CU1102
