// Constant memory with a value stays; without one the host fills it, so it is an argument.
__constant__ float taps[5] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};
__constant__ int offsets[2][3] = {{-1, 0, 1}, {-2, 0, 2}};
__constant__ float weights[4][8];
__constant__ float bias;
static const int kStep = 2;

__global__ void filter(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < 5; ++k) sum += taps[k] * x[max(0, min(i + (k - 2) * kStep, n - 1))];
  y[i] = sum + offsets[1][i % 3];
}

__global__ void project(const float* x, float* y) {
  float sum = bias;
  for (int k = 0; k < 8; ++k) sum += weights[threadIdx.x % 4][k] * x[k];
  y[threadIdx.x] = sum;
}

void set(const float* w, float b) {
  cudaMemcpyToSymbol(weights, w, sizeof(weights));
  cudaMemcpyToSymbol(bias, &b, sizeof(b));
}

// In a helper, and of a vector type.
__constant__ float3 origin;
__constant__ float4 planes[6];

__device__ float distance(float3 p, int k) {
  float4 q = planes[k];
  return q.x * (p.x - origin.x) + q.y * (p.y - origin.y) + q.z * (p.z - origin.z) + q.w * weights[1][k];
}

__global__ void inside(const float3* points, int* y) {
  int all = 1;
  for (int k = 0; k < 6; ++k) all &= distance(points[threadIdx.x], k) > planes[0].w;
  y[threadIdx.x] = all;
}
