// A macro before a block that no header defines: nobody knows how often the block runs.
__global__ void loop(float* y, int n) {
  CUDA_LOOP(i, n) {  // error: CU1210
    y[i] = 1.0f;
  }
}

__global__ void fine(float* y) {
  y[threadIdx.x] = 1.0f;
}

__device__ float sum_of(const float* x, int n) {
  float sum = 0.0f;
  EACH_ELEMENT(i, n) {  // error: CU1210
    sum += x[i];
  }
  return sum;
}

__global__ void through_a_helper(const float* x, float* y, int n) {
  y[threadIdx.x] = sum_of(x, n);
}
