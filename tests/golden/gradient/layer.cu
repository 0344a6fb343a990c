// flags: --gradient centre_forward=centre_backward
// One block per row: subtracts the row's mean and scales; the mean is saved for the backward pass.
__global__ void centre_forward(const float* x, const float* scale, float* y, float* mean, int columns) {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0.0f;
  __syncthreads();
  for (int c = threadIdx.x; c < columns; c += blockDim.x) atomicAdd(&sum, x[blockIdx.x * columns + c]);
  __syncthreads();
  for (int c = threadIdx.x; c < columns; c += blockDim.x) {
    const int i = blockIdx.x * columns + c;
    y[i] = (x[i] - sum / columns) * scale[c];
  }
  if (threadIdx.x == 0) mean[blockIdx.x] = sum / columns;
}

// dx is written, dscale added up over all rows.
__global__ void centre_backward(const float* x, const float* scale, const float* mean, const float* dy, float* dx,
                                float* dscale, int columns) {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0.0f;
  __syncthreads();
  for (int c = threadIdx.x; c < columns; c += blockDim.x) atomicAdd(&sum, dy[blockIdx.x * columns + c] * scale[c]);
  __syncthreads();
  for (int c = threadIdx.x; c < columns; c += blockDim.x) {
    const int i = blockIdx.x * columns + c;
    dx[i] = dy[i] * scale[c] - sum / columns;
    atomicAdd(&dscale[c], dy[i] * (x[i] - mean[blockIdx.x]));
  }
}

void centre(const float* x, const float* scale, float* y, float* mean, int rows, int columns) {
  centre_forward<<<rows, 128>>>(x, scale, y, mean, columns);
}

void centre_gradient(const float* x, const float* scale, const float* mean, const float* dy, float* dx, float* dscale,
                     int rows, int columns) {
  centre_backward<<<rows, 128>>>(x, scale, mean, dy, dx, dscale, columns);
}
