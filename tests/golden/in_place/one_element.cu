// Each thread changes one element in place: it is read from the input, and copied where the kernel passes it by.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void guarded(float* y, const float* x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void left_early(__nv_bfloat16* y, const float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (x[i] < 0.0f) {
    y[i] += __float2bfloat16(1.0f);
  }
}

// Three buffers, two of them read again after their write.
__global__ void adam(float* p, float* m, float* v, const float* g, float rate, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  m[i] = 0.9f * m[i] + 0.1f * g[i];
  v[i] = 0.99f * v[i] + 0.01f * g[i] * g[i];
  p[i] -= rate * m[i] / (sqrtf(v[i]) + 1e-8f);
}

__global__ void counted(unsigned char* y, int* z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && y[i] > 3) {
    y[i]++;
    z[i] <<= 1;
  }
}

// More than a chain of ifs before the write: the element is copied first.
__global__ void clamped(float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (y[i] < 0.0f)
    y[i] = 0.0f;
  else
    y[i] *= 2.0f;
}

__global__ void strided(float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] *= 2.0f;
}
