// Sum of a vector: grid-stride loads, warp shuffles, one atomic per block.
#include <cuda_runtime.h>

#define WARP_SIZE 32
#define FULL_MASK 0xffffffffu

template <typename T>
__inline__ __device__ T warp_reduce_sum(T value)
{
#pragma unroll
    for (int offset = WARP_SIZE / 2; offset > 0; offset /= 2)
        value += __shfl_down_sync(FULL_MASK, value, offset);
    return value;
}

// Valid in thread 0 only. blockDim.x must be a multiple of 32, at most 1024.
template <typename T>
__inline__ __device__ T block_reduce_sum(T value)
{
    static __shared__ T partial[WARP_SIZE];
    const int lane = threadIdx.x % WARP_SIZE;
    const int warp = threadIdx.x / WARP_SIZE;

    value = warp_reduce_sum(value);
    if (lane == 0)
        partial[warp] = value;
    __syncthreads();

    const int warps = blockDim.x / WARP_SIZE;
    value = (threadIdx.x < warps) ? partial[lane] : T(0);
    if (warp == 0)
        value = warp_reduce_sum(value);
    return value;
}

// *out must be zero before the launch.
__global__ void sum_kernel(const float* __restrict__ in, float* out, int n)
{
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        sum += in[i];
    }
    sum = block_reduce_sum(sum);
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

void device_sum(const float* d_in, float* d_out, int n, cudaStream_t stream)
{
    const int threads = 256;
    int blocks = (n + threads - 1) / threads;
    if (blocks > 1024)
        blocks = 1024;
    cudaMemsetAsync(d_out, 0, sizeof(float), stream);
    sum_kernel<<<blocks, threads, 0, stream>>>(d_in, d_out, n);
}
