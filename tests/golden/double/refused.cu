// double has no counterpart, literals without a suffix do no harm.
__global__ void accumulate(const float* x, float* y, int n) {
  double sum = 0.0;  // error: CU3101
  for (int i = 0; i < n; ++i) sum += x[i];
  y[0] = (float)sum;
}

__global__ void literals(const float* x, float* y) {
  y[threadIdx.x] = x[threadIdx.x] * 0.5 + 1.0;
}

__global__ void wide(double* y) {  // error: CU3101
  y[threadIdx.x] = 1.0;
}
