// Names that arrays of MLX's have beside `x`, and pointers that stand in an array.
__global__ void clashing(float* x, const float* x_in, float* x_delta, int n) {
  int i = threadIdx.x;
  if (i < n) {
    x[(i + 1) % n] += x_in[i];
    x_delta[i] = 2.0f * x_in[i];
  }
}

__global__ void rows(float* y, const float* x, int n) {
  int i = threadIdx.x;
  float* halves[2] = {y, y + n};
  if (i < n) {
    halves[0][i] = 1.0f;
    halves[1][i] += x[i];
  }
}
