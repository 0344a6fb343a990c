// GELU activation (tanh approximation), float and half.
//
// The half kernel handles two elements per thread through half2 loads and stores; the math itself is
// done in float, since h2exp alone loses too many digits.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr float kSqrt2OverPi = 0.7978845608028654f;
constexpr float kCubic = 0.044715f;

#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))

__device__ __forceinline__ float gelu_tanh(float x)
{
    const float inner = kSqrt2OverPi * (x + kCubic * x * x * x);
    return 0.5f * x * (1.0f + tanhf(inner));
}

// Grid-stride loop, so any grid is correct.
__global__ void gelu_forward(const float* __restrict__ x, float* __restrict__ y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        y[i] = gelu_tanh(x[i]);
    }
}

__global__ void gelu_forward_half2(const __half* __restrict__ x, __half* __restrict__ y, int n)
{
    const int pairs = n / 2;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pairs) {
        const __half2 packed = reinterpret_cast<const __half2*>(x)[i];
        const float2 v = __half22float2(packed);
        reinterpret_cast<__half2*>(y)[i] = __floats2half2_rn(gelu_tanh(v.x), gelu_tanh(v.y));
    }
    // the odd element at the end, if there is one
    if (i == 0 && (n & 1)) {
        y[n - 1] = __float2half(gelu_tanh(__half2float(x[n - 1])));
    }
}

void launch_gelu(const float* x, float* y, int n, cudaStream_t stream)
{
    const int block = 256;
    const int grid = min(CEIL_DIV(n, block), 1024);
    gelu_forward<<<grid, block, 0, stream>>>(x, y, n);
}

void launch_gelu_half(const __half* x, __half* y, int n, cudaStream_t stream)
{
    const int block = 256;
    const int grid = CEIL_DIV(CEIL_DIV(n, 2), block);
    gelu_forward_half2<<<grid, block, 0, stream>>>(x, y, n);
}
