// RMS norm over the last axis with a residual stream: residual += x, out = rms_norm(residual) * weight.
// Storage is float, half or bfloat16; the arithmetic is float.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace {

template <typename T>
struct Convert {
    static __device__ float load(T v) { return v; }
    static __device__ T store(float v) { return v; }
};

template <>
struct Convert<__half> {
    static __device__ float load(__half v) { return __half2float(v); }
    static __device__ __half store(float v) { return __float2half(v); }
};

template <>
struct Convert<__nv_bfloat16> {
    static __device__ float load(__nv_bfloat16 v) { return __bfloat162float(v); }
    static __device__ __nv_bfloat16 store(float v) { return __float2bfloat16(v); }
};

}  // namespace

// Tree reduction in shared memory: blockDim.x is a power of two, dynamic shared memory holds blockDim.x floats.
template <typename scalar_t>
__global__ void fused_add_rms_norm(scalar_t* __restrict__ out, scalar_t* __restrict__ residual,
                                   const scalar_t* __restrict__ x, const scalar_t* __restrict__ weight,
                                   const float epsilon, const int hidden_size)
{
    extern __shared__ float partial[];
    using C = Convert<scalar_t>;
    const int64_t offset = int64_t(blockIdx.x) * hidden_size;

    float sum = 0.0f;
    for (int i = threadIdx.x; i < hidden_size; i += blockDim.x) {
        const float v = C::load(x[offset + i]) + C::load(residual[offset + i]);
        residual[offset + i] = C::store(v);
        sum += v * v;
    }
    partial[threadIdx.x] = sum;
    __syncthreads();

    for (unsigned int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (threadIdx.x < stride) {
            partial[threadIdx.x] += partial[threadIdx.x + stride];
        }
        __syncthreads();
    }

    const float scale = rsqrtf(partial[0] / hidden_size + epsilon);
    for (int i = threadIdx.x; i < hidden_size; i += blockDim.x) {
        out[offset + i] = C::store(C::load(residual[offset + i]) * scale * C::load(weight[i]));
    }
}

template <typename scalar_t>
void launch_fused_add_rms_norm(scalar_t* out, scalar_t* residual, const scalar_t* x, const scalar_t* weight,
                               float epsilon, int num_tokens, int hidden_size, cudaStream_t stream)
{
    dim3 grid(num_tokens);
    dim3 block(128);
    fused_add_rms_norm<scalar_t><<<grid, block, block.x * sizeof(float), stream>>>(out, residual, x, weight,
                                                                                    epsilon, hidden_size);
}

#define INSTANTIATE(T) \
    template void launch_fused_add_rms_norm<T>(T*, T*, const T*, const T*, float, int, int, cudaStream_t);
INSTANTIATE(float)
INSTANTIATE(__half)
INSTANTIATE(__nv_bfloat16)
