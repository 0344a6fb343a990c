// flags: --gradient upsample_forward=upsample_backward
// `n` counts the output in one kernel and the input in the other: host code tells, the names do not.
__global__ void upsample_forward(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i / 2];
}

__global__ void upsample_backward(const float* dy, float* dx,
                                  int n) {  // error: CU5101
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dx[i] = dy[2 * i] + dy[2 * i + 1];
}

void upsample(const float* x, float* y, int length) {
  int n = 2 * length;
  upsample_forward<<<(n + 255) / 256, 256>>>(x, y, n);
}

void upsample_gradient(const float* dy, float* dx, int length) {
  upsample_backward<<<(length + 255) / 256, 256>>>(dy, dx, length);
}
