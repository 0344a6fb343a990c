// Layer normalisation over the last axis, forward and backward, one block per row.
//
// Forward keeps the mean and the reciprocal standard deviation of each row for the backward pass.
#include <cuda_runtime.h>

#define WARP_SIZE 32
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))

__device__ inline float warp_sum(float v)
{
    for (int offset = WARP_SIZE / 2; offset > 0; offset >>= 1)
        v += __shfl_xor_sync(0xffffffffu, v, offset);
    return v;
}

// Sums two values over the block at once; blockDim.x is a multiple of the warp size.
__device__ inline float2 block_sum2(float a, float b, float2* shared)
{
    const int lane = threadIdx.x % WARP_SIZE, warp = threadIdx.x / WARP_SIZE;
    const int num_warps = blockDim.x / WARP_SIZE;
    a = warp_sum(a);
    b = warp_sum(b);
    __syncthreads();
    if (lane == 0) shared[warp] = make_float2(a, b);
    __syncthreads();
    float2 v = lane < num_warps ? shared[lane] : make_float2(0.f, 0.f);
    return make_float2(warp_sum(v.x), warp_sum(v.y));
}

__global__ void layer_norm_forward(float* __restrict__ out, float* __restrict__ mean, float* __restrict__ rstd,
                                   const float* __restrict__ inp, const float* __restrict__ weight,
                                   const float* __restrict__ bias, int C, float eps)
{
    __shared__ float2 shared[WARP_SIZE];
    const int row = blockIdx.x;
    const float* x = inp + row * C;
    float* y = out + row * C;

    // mean first, then the variance around it: one pass with E[x^2] - E[x]^2 cancels badly
    float sum = 0.0f;
    for (int c = threadIdx.x; c < C; c += blockDim.x) sum += x[c];
    const float m = block_sum2(sum, 0.0f, shared).x / C;

    float squares = 0.0f;
    for (int c = threadIdx.x; c < C; c += blockDim.x) {
        float d = x[c] - m;
        squares += d * d;
    }
    const float s = rsqrtf(block_sum2(squares, 0.0f, shared).x / C + eps);

    for (int c = threadIdx.x; c < C; c += blockDim.x) {
        y[c] = (x[c] - m) * s * weight[c] + bias[c];
    }
    if (threadIdx.x == 0) {
        mean[row] = m;
        rstd[row] = s;
    }
}

// dinp is written; dweight and dbias are accumulated into (zero them before the first micro-batch).
__global__ void layer_norm_backward(float* __restrict__ dinp, float* __restrict__ dweight,
                                    float* __restrict__ dbias, const float* __restrict__ dout,
                                    const float* __restrict__ inp, const float* __restrict__ weight,
                                    const float* __restrict__ mean, const float* __restrict__ rstd, int C)
{
    __shared__ float2 shared[WARP_SIZE];
    const int row = blockIdx.x;
    const float m = mean[row];
    const float s = rstd[row];

    float dnorm_sum = 0.0f, dnorm_norm_sum = 0.0f;
    for (int c = threadIdx.x; c < C; c += blockDim.x) {
        const float norm = (inp[row * C + c] - m) * s;
        const float dnorm = weight[c] * dout[row * C + c];
        dnorm_sum += dnorm;
        dnorm_norm_sum += dnorm * norm;
    }
    const float2 total = block_sum2(dnorm_sum, dnorm_norm_sum, shared);
    const float dnorm_mean = total.x / C;
    const float dnorm_norm_mean = total.y / C;

    for (int c = threadIdx.x; c < C; c += blockDim.x) {
        const float norm = (inp[row * C + c] - m) * s;
        const float g = dout[row * C + c];
        dinp[row * C + c] = (weight[c] * g - dnorm_mean - norm * dnorm_norm_mean) * s;
        atomicAdd(&dweight[c], norm * g);
        atomicAdd(&dbias[c], g);
    }
}

static int block_for(int C)
{
    int block = CEIL_DIV(C, WARP_SIZE) * WARP_SIZE;
    return block > 256 ? 256 : block;
}

void launch_layer_norm_forward(float* out, float* mean, float* rstd, const float* inp, const float* weight,
                               const float* bias, int N, int C, float eps, cudaStream_t stream)
{
    layer_norm_forward<<<N, block_for(C), 0, stream>>>(out, mean, rstd, inp, weight, bias, C, eps);
}

void launch_layer_norm_backward(float* dinp, float* dweight, float* dbias, const float* dout, const float* inp,
                                const float* weight, const float* mean, const float* rstd, int N, int C,
                                cudaStream_t stream)
{
    layer_norm_backward<<<N, block_for(C), 0, stream>>>(dinp, dweight, dbias, dout, inp, weight, mean, rstd, C);
}
