// Kernels that do one kind of arithmetic and hardly anything else: how much of it a GPU does per second.
#include <cuda_runtime.h>

#define CHAINS 8  // independent of each other, so that no result is waited for

template <int ROUNDS>
__global__ void multiply_adds(const float* __restrict__ x, float* __restrict__ y)
{
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    float value[CHAINS];
#pragma unroll
    for (int i = 0; i < CHAINS; ++i)
        value[i] = x[i] + threadIdx.x;
    for (int round = 0; round < ROUNDS; ++round) {
#pragma unroll
        for (int i = 0; i < CHAINS; ++i)
            value[i] = fmaf(value[i], 0.5f, 0.25f);
    }
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < CHAINS; ++i)
        sum += value[i];
    y[index] = sum;
}

template <int ROUNDS>
__global__ void exponentials(const float* __restrict__ x, float* __restrict__ y)
{
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    float value[CHAINS];
#pragma unroll
    for (int i = 0; i < CHAINS; ++i)
        value[i] = x[i] * threadIdx.x;
    for (int round = 0; round < ROUNDS; ++round) {
#pragma unroll
        for (int i = 0; i < CHAINS; ++i)
            value[i] = __expf(-value[i]);
    }
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < CHAINS; ++i)
        sum += value[i];
    y[index] = sum;
}
