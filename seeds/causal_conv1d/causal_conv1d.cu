// Causal depthwise 1D convolution with optional SiLU, forward and backward.
//
//   out[b, d, t] = act(bias[d] + sum_w weight[d, w] * x[b, d, t - (WIDTH - 1) + w])
//
// x, out are [batch, dim, length]; weight is [dim, WIDTH].
#include <cuda_runtime.h>

#define CONV_THREADS 128

template <int WIDTH>
__device__ __forceinline__ float convolve(const float* x_row, const float* weight, float bias, int t)
{
    float sum = bias;
#pragma unroll
    for (int w = 0; w < WIDTH; ++w) {
        const int s = t - (WIDTH - 1) + w;
        if (s >= 0)
            sum += weight[w] * x_row[s];
    }
    return sum;
}

template <int WIDTH, bool SILU>
__global__ void causal_conv1d_fwd(const float* __restrict__ x, const float* __restrict__ weight,
                                  const float* __restrict__ bias, float* __restrict__ out, int dim, int length)
{
    const int channel = blockIdx.x;
    const int batch = blockIdx.y;
    const float* x_row = x + ((size_t)batch * dim + channel) * length;
    float* out_row = out + ((size_t)batch * dim + channel) * length;

    float w[WIDTH];
#pragma unroll
    for (int i = 0; i < WIDTH; ++i)
        w[i] = weight[channel * WIDTH + i];
    const float b = bias == nullptr ? 0.f : bias[channel];

    for (int t = threadIdx.x; t < length; t += blockDim.x) {
        float v = convolve<WIDTH>(x_row, w, b, t);
        if constexpr (SILU) {
            v = v / (1.0f + expf(-v));
        }
        out_row[t] = v;
    }
}

// Sum over a block of CONV_THREADS threads by halving; all threads must call it.
__device__ float block_sum(float value, float* scratch)
{
    scratch[threadIdx.x] = value;
    __syncthreads();
    for (int s = CONV_THREADS / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s)
            scratch[threadIdx.x] += scratch[threadIdx.x + s];
        __syncthreads();
    }
    const float total = scratch[0];
    __syncthreads();
    return total;
}

// dx is written; dweight and dbias are summed over the batch with atomics and must start at zero.
template <int WIDTH, bool SILU>
__global__ void __launch_bounds__(CONV_THREADS)
    causal_conv1d_bwd(const float* __restrict__ x, const float* __restrict__ weight, const float* __restrict__ bias,
                      const float* __restrict__ dout, float* __restrict__ dx, float* __restrict__ dweight,
                      float* __restrict__ dbias, int dim, int length)
{
    __shared__ float scratch[CONV_THREADS];
    __shared__ float grad[CONV_THREADS + WIDTH - 1];  // gradients before the activation, with a tail

    const int channel = blockIdx.x;
    const int batch = blockIdx.y;
    const size_t row = ((size_t)batch * dim + channel) * length;
    const float* x_row = x + row;

    float w[WIDTH], dw[WIDTH] = {0.0f};
#pragma unroll
    for (int i = 0; i < WIDTH; ++i)
        w[i] = weight[channel * WIDTH + i];
    const float b = bias[channel];
    float db = 0.0f;

    for (int start = 0; start < length; start += CONV_THREADS) {
        for (int i = threadIdx.x; i < CONV_THREADS + WIDTH - 1; i += CONV_THREADS) {
            const int t = start + i;
            float g = t < length ? dout[row + t] : 0.0f;
            if (SILU && t < length) {
                const float v = convolve<WIDTH>(x_row, w, b, t);
                const float s = 1.0f / (1.0f + expf(-v));
                g *= s * (1.0f + v * (1.0f - s));
            }
            grad[i] = g;
        }
        __syncthreads();

        const int t = start + threadIdx.x;
        if (t < length) {
            float sum = 0.0f;
#pragma unroll
            for (int i = 0; i < WIDTH; ++i)
                sum += w[i] * grad[threadIdx.x + WIDTH - 1 - i];
            dx[row + t] = sum;

            const float g = grad[threadIdx.x];
            db += g;
#pragma unroll
            for (int i = 0; i < WIDTH; ++i) {
                const int s = t - (WIDTH - 1) + i;
                if (s >= 0)
                    dw[i] += g * x_row[s];
            }
        }
        __syncthreads();
    }

    db = block_sum(db, scratch);
    if (threadIdx.x == 0)
        atomicAdd(&dbias[channel], db);
#pragma unroll
    for (int i = 0; i < WIDTH; ++i) {
        const float total = block_sum(dw[i], scratch);
        if (threadIdx.x == 0)
            atomicAdd(&dweight[channel * WIDTH + i], total);
    }
}

void conv_forward(const float* x, const float* weight, const float* bias, float* out, int batch, int dim, int length,
                  bool silu, cudaStream_t stream)
{
    dim3 grid(dim, batch);
    if (silu)
        causal_conv1d_fwd<4, true><<<grid, CONV_THREADS, 0, stream>>>(x, weight, bias, out, dim, length);
    else
        causal_conv1d_fwd<4, false><<<grid, CONV_THREADS, 0, stream>>>(x, weight, bias, out, dim, length);
}

void conv_backward(const float* x, const float* weight, const float* bias, const float* dout, float* dx,
                   float* dweight, float* dbias, int batch, int dim, int length, bool silu, cudaStream_t stream)
{
    dim3 grid(dim, batch);
    if (silu)
        causal_conv1d_bwd<4, true>
            <<<grid, CONV_THREADS, 0, stream>>>(x, weight, bias, dout, dx, dweight, dbias, dim, length);
    else
        causal_conv1d_bwd<4, false>
            <<<grid, CONV_THREADS, 0, stream>>>(x, weight, bias, dout, dx, dweight, dbias, dim, length);
}
