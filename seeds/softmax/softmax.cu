// Row-wise softmax, one block per row.
//
// T is the storage type (float or __half); all arithmetic is float. BLOCK is a compile-time block size.
#include <cfloat>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

template <typename T> __device__ __forceinline__ float to_float(T v) { return static_cast<float>(v); }
template <> __device__ __forceinline__ float to_float<__half>(__half v) { return __half2float(v); }

template <typename T> __device__ __forceinline__ T from_float(float v) { return static_cast<T>(v); }
template <> __device__ __forceinline__ __half from_float<__half>(float v) { return __float2half_rn(v); }

struct MaxOp {
    static __device__ __forceinline__ float identity() { return -FLT_MAX; }
    __device__ __forceinline__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

struct SumOp {
    static __device__ __forceinline__ float identity() { return 0.0f; }
    __device__ __forceinline__ float operator()(float a, float b) const { return a + b; }
};

// Every thread gets the result.
template <int BLOCK, typename Op>
__device__ __forceinline__ float block_all_reduce(float value, Op op, float* scratch)
{
    constexpr int kWarps = BLOCK / 32;
    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;
#pragma unroll
    for (int mask = 16; mask > 0; mask >>= 1)
        value = op(value, __shfl_xor_sync(0xffffffff, value, mask));
    if (lane == 0)
        scratch[warp] = value;
    __syncthreads();
    value = lane < kWarps ? scratch[lane] : Op::identity();
#pragma unroll
    for (int mask = 16; mask > 0; mask >>= 1)
        value = op(value, __shfl_xor_sync(0xffffffff, value, mask));
    __syncthreads();  // scratch is used again by the caller
    return value;
}

template <typename T, int BLOCK>
__global__ void __launch_bounds__(BLOCK) softmax_kernel(const T* __restrict__ x, T* __restrict__ y, int cols)
{
    __shared__ float scratch[32];
    const T* row_in = x + (size_t)blockIdx.x * cols;
    T* row_out = y + (size_t)blockIdx.x * cols;

    float row_max = MaxOp::identity();
    for (int c = threadIdx.x; c < cols; c += BLOCK)
        row_max = fmaxf(row_max, to_float(row_in[c]));
    row_max = block_all_reduce<BLOCK>(row_max, MaxOp(), scratch);

    float row_sum = 0.0f;
    for (int c = threadIdx.x; c < cols; c += BLOCK)
        row_sum += __expf(to_float(row_in[c]) - row_max);
    row_sum = block_all_reduce<BLOCK>(row_sum, SumOp(), scratch);

    const float scale = 1.0f / row_sum;
    for (int c = threadIdx.x; c < cols; c += BLOCK)
        row_out[c] = from_float<T>(__expf(to_float(row_in[c]) - row_max) * scale);
}

template <typename T>
void softmax_forward(const T* x, T* y, int rows, int cols, cudaStream_t stream)
{
    if (cols <= 128) {
        softmax_kernel<T, 64><<<rows, 64, 0, stream>>>(x, y, cols);
    } else {
        softmax_kernel<T, 256><<<rows, 256, 0, stream>>>(x, y, cols);
    }
}

template void softmax_forward<float>(const float*, float*, int, int, cudaStream_t);
template void softmax_forward<__half>(const __half*, __half*, int, int, cudaStream_t);
