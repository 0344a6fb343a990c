// Pointers to rows: MLX's buffers that are read and written have single elements.
typedef float row_t[4];
__global__ void reversed(const row_t *x, row_t *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = 0; j < 4; ++j) y[i][j] = x[i][3 - j] * 2;
}
__global__ void shifted(row_t *y, int n) {  // error: CU2103
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) y[i][0] = y[i + 1][1];
}
__global__ void spelled(float (*y)[4], int n) {  // error: CU2103
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) y[i][0] = y[i + 1][1];
}
__global__ void own(row_t *y, int n) {  // error: CU2103
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i][0] += y[i][3];
}
