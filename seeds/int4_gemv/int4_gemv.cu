// y = dequantise(W) * x for 4-bit weights in groups, one warp per output row (decode-time linear layer).
//
// qweight: [rows, cols / 8] 32-bit words, eight 4-bit weights each, lowest nibble first.
// scales, zeros: [rows, cols / group_size]; w = (q - zero) * scale.
#include <cstdint>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define WARP 32
#define ROWS_PER_BLOCK 4

__device__ __forceinline__ float warp_reduce(float sum)
{
#pragma unroll
    for (int i = WARP / 2; i >= 1; i /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, i);
    return sum;
}

__global__ void int4_gemv(const uint32_t* __restrict__ qweight, const half* __restrict__ scales,
                          const uint8_t* __restrict__ zeros, const half* __restrict__ x, half* __restrict__ y,
                          const int rows, const int cols, const int group_size)
{
    const int lane = threadIdx.x;
    const int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.y;
    if (row >= rows) return;  // whole warps leave together

    const int words = cols / 8;
    const int groups = cols / group_size;
    const uint32_t* w_row = qweight + (size_t)row * words;

    float sum = 0.f;
    for (int i = lane; i < words; i += WARP) {
        const uint32_t packed = w_row[i];
        const int group = i * 8 / group_size;
        const float scale = __half2float(scales[row * groups + group]);
        const float zero = static_cast<float>(zeros[row * groups + group]);

        // eight halves of x in one 16-byte load
        const uint4 raw = *reinterpret_cast<const uint4*>(x + i * 8);
        const half2* xs = reinterpret_cast<const half2*>(&raw);
        float dot = 0.f;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const float2 xf = __half22float2(xs[j]);
            const float w0 = static_cast<float>((packed >> (8 * j)) & 0xF) - zero;
            const float w1 = static_cast<float>((packed >> (8 * j + 4)) & 0xF) - zero;
            dot = fmaf(w0, xf.x, dot);
            dot = fmaf(w1, xf.y, dot);
        }
        sum += dot * scale;
    }

    sum = warp_reduce(sum);
    if (lane == 0) {
        y[row] = __float2half(sum);
    }
}

void launch_int4_gemv(const uint32_t* qweight, const half* scales, const uint8_t* zeros, const half* x, half* y,
                      int rows, int cols, int group_size, cudaStream_t stream)
{
    dim3 block(WARP, ROWS_PER_BLOCK);
    dim3 grid((rows + ROWS_PER_BLOCK - 1) / ROWS_PER_BLOCK);
    int4_gemv<<<grid, block, 0, stream>>>(qweight, scales, zeros, x, y, rows, cols, group_size);
}
