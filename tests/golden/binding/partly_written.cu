// Outputs of which data decide what is written (notes), and outputs of which they do not.
const int WIDTH = 16;

__global__ void masked(const float* x, const int* lengths, float* y, float* z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int length = min(lengths[blockIdx.y], n);
  if (i < length) {
    y[i] = x[i];
    z[i] = 2.0f * x[i];
  }
}

__global__ void skipped(const int* boxes, float* area, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int side = boxes[i];
    side += 1;
    if (side <= 0) {
      continue;
    }
    area[i] = side * side;
  }
}

__global__ void both_branches(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (x[i] > 0.0f)
      y[i] = x[i];
    else
      y[i] = 0.0f;
  }
}

__global__ void written_before(const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = 0.0f;
  if (x[i] > 0.0f) y[i] = x[i];
}

__global__ void sizes_only(const float* x, float* y, int n) {
  int i = blockIdx.x * WIDTH + threadIdx.x;
  const int row_size = min(n - int(blockIdx.x) * WIDTH, WIDTH);
  if (threadIdx.x < row_size) y[i] = x[i];
  if (threadIdx.x == 0 && n > WIDTH) return;
}

__global__ void zeroed(const float* x, float* y, float* sum) {
  int i = threadIdx.x;
  if (x[i] > 0.0f) y[i] = x[i];
  atomicAdd(sum, x[i]);
}

__global__ void scattered(const float* x, const int* order, float* y, float* z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int at = order[i];
  y[at] = x[i];
  *(z + at) = x[i];
}
