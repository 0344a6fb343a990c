// Selective state-space scan (Mamba): prefill over a sequence, and one decoding step.
//
//   h[t] = exp(delta[t] * A) * h[t-1] + delta[t] * B[t] * u[t]
//   y[t] = C[t] . h[t] + D * u[t],  gated by silu(z[t]) when z is given
//
// u, delta, z, y are [batch, length, channels]; A is [channels, STATES]; B, C are [batch, length, STATES];
// the state h is [batch, channels, STATES]. One thread owns one channel and keeps its states in registers.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define SCAN_THREADS 128

__device__ __forceinline__ float softplus(float x)
{
    // log1p(exp(x)) overflows long after it has become x
    return x <= 20.0f ? log1pf(expf(x)) : x;
}

__device__ __forceinline__ float silu(float x) { return x / (1.0f + expf(-x)); }

template <typename T, int STATES>
__global__ void selective_scan_fwd(const T* __restrict__ u, const T* __restrict__ delta,
                                   const float* __restrict__ A, const T* __restrict__ B,
                                   const T* __restrict__ C, const float* __restrict__ D, const T* __restrict__ z,
                                   const float* __restrict__ delta_bias, T* __restrict__ y,
                                   float* __restrict__ last_state, int length, int channels)
{
    __shared__ float b_shared[STATES];
    __shared__ float c_shared[STATES];

    const int batch = blockIdx.y;
    const int channel = blockIdx.x * blockDim.x + threadIdx.x;
    const bool active = channel < channels;

    float a[STATES], h[STATES];
#pragma unroll
    for (int n = 0; n < STATES; ++n) {
        a[n] = active ? A[channel * STATES + n] : 0.0f;
        h[n] = 0.0f;
    }
    const float d = active ? D[channel] : 0.0f;
    const float bias = (active && delta_bias) ? delta_bias[channel] : 0.0f;

    for (int t = 0; t < length; ++t) {
        const size_t step = (size_t)batch * length + t;
        // B and C are the same for all channels of the block
        if (threadIdx.x < STATES) {
            b_shared[threadIdx.x] = static_cast<float>(B[step * STATES + threadIdx.x]);
            c_shared[threadIdx.x] = static_cast<float>(C[step * STATES + threadIdx.x]);
        }
        __syncthreads();

        if (active) {
            const size_t at = step * channels + channel;
            const float ut = static_cast<float>(u[at]);
            const float dt = softplus(static_cast<float>(delta[at]) + bias);
            const float du = dt * ut;
            float out = d * ut;
#pragma unroll
            for (int n = 0; n < STATES; ++n) {
                h[n] = expf(dt * a[n]) * h[n] + du * b_shared[n];
                out += c_shared[n] * h[n];
            }
            if (z != nullptr)
                out *= silu(static_cast<float>(z[at]));
            y[at] = static_cast<T>(out);
        }
        __syncthreads();
    }

    if (active) {
#pragma unroll
        for (int n = 0; n < STATES; ++n)
            last_state[((size_t)batch * channels + channel) * STATES + n] = h[n];
    }
}

// One token: the state is updated in place. u, delta, z, y are [batch, channels]; B, C are [batch, STATES].
template <typename T, int STATES>
__global__ void selective_state_update(float* __restrict__ state, const T* __restrict__ u,
                                       const T* __restrict__ delta, const float* __restrict__ A,
                                       const T* __restrict__ B, const T* __restrict__ C,
                                       const float* __restrict__ D, const T* __restrict__ z,
                                       const float* __restrict__ delta_bias, T* __restrict__ y, int batch,
                                       int channels)
{
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= batch * channels)
        return;
    const int b = index / channels;
    const int channel = index % channels;

    const float ut = static_cast<float>(u[index]);
    const float dt = softplus(static_cast<float>(delta[index]) + delta_bias[channel]);
    float* h = state + (size_t)index * STATES;
    float out = D[channel] * ut;
    for (int n = 0; n < STATES; ++n) {
        const float decay = expf(dt * A[channel * STATES + n]);
        const float next = decay * h[n] + dt * ut * static_cast<float>(B[b * STATES + n]);
        h[n] = next;
        out += static_cast<float>(C[b * STATES + n]) * next;
    }
    y[index] = static_cast<T>(out * silu(static_cast<float>(z[index])));
}

template <typename T>
void selective_scan(const T* u, const T* delta, const float* A, const T* B, const T* C, const float* D, const T* z,
                    const float* delta_bias, T* y, float* last_state, int batch, int length, int channels,
                    cudaStream_t stream)
{
    dim3 grid((channels + SCAN_THREADS - 1) / SCAN_THREADS, batch);
    selective_scan_fwd<T, 16><<<grid, SCAN_THREADS, 0, stream>>>(u, delta, A, B, C, D, z, delta_bias, y,
                                                                 last_state, length, channels);
}

template <typename T>
void selective_step(float* state, const T* u, const T* delta, const float* A, const T* B, const T* C,
                    const float* D, const T* z, const float* delta_bias, T* y, int batch, int channels,
                    cudaStream_t stream)
{
    const int total = batch * channels;
    selective_state_update<T, 16><<<(total + SCAN_THREADS - 1) / SCAN_THREADS, SCAN_THREADS, 0, stream>>>(
        state, u, delta, A, B, C, D, z, delta_bias, y, batch, channels);
}

template void selective_scan<float>(const float*, const float*, const float*, const float*, const float*,
                                    const float*, const float*, const float*, float*, float*, int, int, int,
                                    cudaStream_t);
template void selective_step<__half>(float*, const __half*, const __half*, const float*, const __half*,
                                     const __half*, const float*, const __half*, const float*, __half*, int, int,
                                     cudaStream_t);
