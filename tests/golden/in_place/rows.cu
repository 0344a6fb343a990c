// Rows changed in place: reads that no write can come before see the input.
__global__ void scaled(float* x, const float* s, int width) {
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    const int at = blockIdx.x * width + i;
    x[at] = x[at] * s[i];
  }
}

__global__ void state_update(float* state, const float* decay, int width) {
  float* h = state + (size_t)(blockIdx.x * blockDim.x + threadIdx.x) * 2 * width;
  for (int n = 0; n < width; ++n) h[2 * n] *= decay[n];
}

// The second loop reads what the first wrote.
__global__ void normalised(float* x, int width) {
  float* row = x + (blockIdx.x * blockDim.x + threadIdx.x) * width;
  float sum = 1.0f;
  for (int i = 0; i < width; ++i) {
    row[i] = row[i] * row[i];
    sum += row[i];
  }
  for (int i = 0; i < width; ++i) row[i] /= sum;
}

// Rounds that meet: the element stays, or the next round's is read, or threads wait for each other.
__global__ void meeting(float* total, float* line, float* tile, const float* x, int width) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < width; ++i) total[thread] += x[i];
  float* row = line + thread * width;
  for (int i = 1; i < width; ++i) row[i] += row[i - 1];
  float* part = tile + blockIdx.x * blockDim.x;
  for (int i = 0; i < 2; ++i) {
    float next = part[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
    part[threadIdx.x] = next + i;
    __syncthreads();
  }
}

// A pointer into either of two arrays, and a step that may be narrower than the count.
__global__ void either(float* a, float* b, int first, int width) {
  float* rows = first ? a : b;
  float* row = rows + (blockIdx.x * blockDim.x + threadIdx.x) * 256;
  for (int i = 0; i < width; ++i) row[(unsigned char)i] += i;
  b[blockIdx.x * blockDim.x + threadIdx.x] += 1.0f;
}

// What a block's threads share out among them: no round can meet another's elements, in a helper neither.
__device__ void turn(float* pair, int far, float c) {
  const float x = pair[0], y = pair[far];
  pair[0] = x * c - y;
  pair[far] = y * c + x;
}

__global__ void turned(float* x, const float* c, int width, int far) {
  float* rows = x + blockIdx.x * 2 * width;
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    const int at = i / far * 2 * far + i % far;
    turn(rows + at, far, c[i]);
  }
}

// A total for each block or thread is met in every round.
__global__ void totals(float* sums, float* parts, const float* x, int width) {
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    sums[blockIdx.x] += x[i];
    parts[blockIdx.x + 2 * threadIdx.x] += x[i];
  }
}
