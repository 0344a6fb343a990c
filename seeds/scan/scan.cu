// Inclusive prefix sum in three launches: scan each block, scan the block totals, add them back.
#include <cuda_runtime.h>

#define SCAN_BLOCK 256

__device__ __forceinline__ int warp_inclusive_scan(int value)
{
    const int lane = threadIdx.x & 31;
#pragma unroll
    for (int offset = 1; offset < 32; offset <<= 1) {
        const int other = __shfl_up_sync(0xffffffff, value, offset);
        if (lane >= offset)
            value += other;
    }
    return value;
}

// block_sums may be nullptr when there is only one block.
__global__ void scan_blocks(const int* __restrict__ in, int* __restrict__ out, int* __restrict__ block_sums, int n)
{
    __shared__ int warp_sums[SCAN_BLOCK / 32];
    const int i = blockIdx.x * SCAN_BLOCK + threadIdx.x;
    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;

    int value = i < n ? in[i] : 0;
    value = warp_inclusive_scan(value);
    if (lane == 31)
        warp_sums[warp] = value;
    __syncthreads();

    if (warp == 0) {
        int sum = lane < SCAN_BLOCK / 32 ? warp_sums[lane] : 0;
        sum = warp_inclusive_scan(sum);
        if (lane < SCAN_BLOCK / 32)
            warp_sums[lane] = sum;
    }
    __syncthreads();

    if (warp > 0)
        value += warp_sums[warp - 1];
    if (i < n)
        out[i] = value;
    if (block_sums != nullptr && threadIdx.x == SCAN_BLOCK - 1)
        block_sums[blockIdx.x] = value;
}

// Adds the scanned total of all blocks before this one; in place.
__global__ void add_block_offsets(int* __restrict__ data, const int* __restrict__ scanned_sums, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x == 0 || i >= n)
        return;
    data[i] += scanned_sums[blockIdx.x - 1];
}

// n <= SCAN_BLOCK * SCAN_BLOCK; sums holds one int per block.
void inclusive_scan(const int* in, int* out, int* sums, int n, cudaStream_t stream)
{
    const int blocks = (n + SCAN_BLOCK - 1) / SCAN_BLOCK;
    scan_blocks<<<blocks, SCAN_BLOCK, 0, stream>>>(in, out, sums, n);
    if (blocks > 1) {
        scan_blocks<<<1, SCAN_BLOCK, 0, stream>>>(sums, sums, nullptr, blocks);
        add_block_offsets<<<blocks, SCAN_BLOCK, 0, stream>>>(out, sums, n);
    }
}
