// SAXPY: y = a * x + y, single precision.
#include <cuda_runtime.h>

#define THREADS_PER_BLOCK 256

// One thread per element. y is updated in place.
__global__ void saxpy(int n, float a, const float* __restrict__ x, float* __restrict__ y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = a * x[i] + y[i];
    }
}

void launch_saxpy(int n, float a, const float* d_x, float* d_y, cudaStream_t stream)
{
    dim3 block(THREADS_PER_BLOCK);
    dim3 grid((n + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK);
    saxpy<<<grid, block, 0, stream>>>(n, a, d_x, d_y);
}
