// The selective scan of a Mamba-1 layer: prefill over a sequence, and one decoding step.
//
//   h[t] = exp(dt[t] * A) * h[t-1] + dt[t] * u[t] * B[t],   dt = softplus(delta + delta_bias)
//   y[t] = (C[t] . h[t] + D * u[t]) * silu(z[t])
//
// u, delta, z, y are [batch, length, channels]; A is [channels, STATES]; B, C are [batch, length, STATES];
// the state h is [batch, channels, STATES].
//
// LANES threads share the states of a channel, SEGMENTS threads its time, STEPS steps are loaded ahead, VEC numbers
// of B and C with one load. With one segment the scan runs once. With more it runs twice: first every segment from a
// state of zero, which gives the state that each really starts with, then from that. Without ROUNDS a segment is one
// part of the whole time. With ROUNDS it is STEPS steps of each round of SEGMENTS * STEPS, which stay in registers.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define FULL_MASK 0xffffffffu

__device__ __forceinline__ float softplus(float x)
{
    // log1p(exp(x)) overflows long after it has become x
    return x <= 20.0f ? log1pf(expf(x)) : x;
}

__device__ __forceinline__ float silu(float x) { return x / (1.0f + expf(-x)); }

// N elements that are loaded at once.
template <typename T, int N>
struct alignas(sizeof(T) * N) Pack {
    T at[N];
};

template <int N, typename T>
__device__ __forceinline__ Pack<T, N> load(const T* p)
{
    return *reinterpret_cast<const Pack<T, N>*>(p);
}

// Which state a lane's n-th one is: VEC neighbours, then VEC neighbours LANES * VEC further on.
template <int LANES, int VEC>
__device__ __forceinline__ int state_of(int n, int lane)
{
    return (n / VEC * LANES + lane) * VEC + n % VEC;
}

// One channel's inputs, from the beginning of its sequence; `stride` is the distance of two steps.
template <typename T>
struct Channel {
    const T* u;
    const T* delta;
    const T* z;
    size_t stride;
    float bias;
    float d;
};

// STEPS steps of one channel, dealt out among its LANES lanes.
template <typename T, int LANES, int STEPS>
struct Steps {
    static constexpr int kOwn = (STEPS + LANES - 1) / LANES;
    float u[kOwn], dt[kOwn], out[kOwn];

    // Past the end the last step is loaded again with a dt of 0, which changes nothing.
    __device__ void load(Channel<T> at, int first, int end, int lane)
    {
#pragma unroll
        for (int i = 0; i < kOwn; ++i) {
            const int step = first + i * LANES + lane;
            const size_t place = min(step, end - 1) * at.stride;
            u[i] = static_cast<float>(at.u[place]);
            dt[i] = softplus(static_cast<float>(at.delta[place]) + at.bias);
            dt[i] = step < end ? dt[i] : 0.0f;
            out[i] = at.d * u[i];
        }
    }

    __device__ float u_of(int s) const
    {
        return LANES == 1 ? u[s / LANES] : __shfl_sync(FULL_MASK, u[s / LANES], s % LANES, LANES);
    }

    __device__ float dt_of(int s) const
    {
        return LANES == 1 ? dt[s / LANES] : __shfl_sync(FULL_MASK, dt[s / LANES], s % LANES, LANES);
    }

    // Takes in every lane's part of C . h for step s.
    __device__ void add(int s, float sum, int lane)
    {
#pragma unroll
        for (int mask = LANES / 2; mask > 0; mask >>= 1)
            sum += __shfl_xor_sync(FULL_MASK, sum, mask);
        if (s % LANES == lane)
            out[s / LANES] += sum;
    }

    __device__ void write(Channel<T> at, T* y, int first, int end, bool active, int lane) const
    {
#pragma unroll
        for (int i = 0; i < kOwn; ++i) {
            const int step = first + i * LANES + lane;
            if (active && step < end && i * LANES + lane < STEPS) {
                const size_t place = step * at.stride;
                y[place] = static_cast<T>(out[i] * silu(static_cast<float>(at.z[place])));
            }
        }
    }
};

// Moves STATES / LANES states over steps [begin, end) and writes y where WRITE. Returns the sum of dt.
template <typename T, int STATES, int LANES, int STEPS, int VEC, bool WRITE>
__device__ float advance(Channel<T> at, T* y, const T* B, const T* C, const float* a, float* h, int begin,
                         int end, int most, bool active, int lane)
{
    constexpr int kStates = STATES / LANES;
    float total = 0.0f;

    // every thread of a warp goes round as often, since lanes exchange values
    for (int ahead = 0; ahead < most; ahead += STEPS) {
        const int first = begin + ahead;
        Steps<T, LANES, STEPS> steps;
        steps.load(at, first, end, lane);
#pragma unroll
        for (int s = 0; s < STEPS; ++s) {
            const float dt = steps.dt_of(s);
            const float u = steps.u_of(s);
            const int row = min(first + s, end - 1) * STATES;
            float sum = 0.0f;
#pragma unroll
            for (int n = 0; n < kStates; n += VEC) {
                const int state = state_of<LANES, VEC>(n, lane);
                const Pack<T, VEC> b = load<VEC>(B + row + state);
                const Pack<T, VEC> c = load<VEC>(C + row + state);
#pragma unroll
                for (int e = 0; e < VEC; ++e) {
                    h[n + e] = expf(dt * a[n + e]) * h[n + e] + dt * u * static_cast<float>(b.at[e]);
                    sum += static_cast<float>(c.at[e]) * h[n + e];
                }
            }
            total += dt;
            if (WRITE)
                steps.add(s, sum, lane);
        }
        if (WRITE)
            steps.write(at, y, first, end, active, lane);
    }
    return total;
}

// Moves the states of all channels of a block over all steps, in rounds of SEGMENTS * STEPS: each segment takes STEPS
// steps from a state of zero, whose decays and inputs it keeps for the second time, from the state that it really
// starts with. `state` is zero at first and the last state afterwards; decay and start are [SEGMENTS][CHANNELS][STATES].
template <typename T, int STATES, int LANES, int CHANNELS, int SEGMENTS, int STEPS, int VEC>
__device__ void advance_in_rounds(Channel<T> at, T* y, const T* B, const T* C, const float* a, float* state,
                                  float* segment_decay, float* segment_start, int length, bool active)
{
    constexpr int kStates = STATES / LANES;
    const int lane = threadIdx.x % LANES;
    const int segment = threadIdx.x / (LANES * CHANNELS);
    const int own = threadIdx.x / LANES * STATES;  // of the segment's channel

    for (int round = 0; round < length; round += SEGMENTS * STEPS) {
        const int first = round + segment * STEPS;
        float decay[STEPS][kStates], input[STEPS][kStates], h[kStates], all[kStates];
        Steps<T, LANES, STEPS> steps;
        steps.load(at, first, length, lane);
#pragma unroll
        for (int n = 0; n < kStates; ++n) {
            h[n] = 0.0f;
            all[n] = 1.0f;
        }
#pragma unroll
        for (int s = 0; s < STEPS; ++s) {
            const float dt = steps.dt_of(s);
            const float u = steps.u_of(s);
            const int row = min(first + s, length - 1) * STATES;
#pragma unroll
            for (int n = 0; n < kStates; n += VEC) {
                const Pack<T, VEC> b = load<VEC>(B + row + state_of<LANES, VEC>(n, lane));
#pragma unroll
                for (int e = 0; e < VEC; ++e) {
                    decay[s][n + e] = expf(dt * a[n + e]);
                    input[s][n + e] = dt * u * static_cast<float>(b.at[e]);
                    h[n + e] = decay[s][n + e] * h[n + e] + input[s][n + e];
                    all[n + e] *= decay[s][n + e];
                }
            }
        }
#pragma unroll
        for (int n = 0; n < kStates; ++n) {
            segment_decay[own + state_of<LANES, VEC>(n, lane)] = all[n];
            segment_start[own + state_of<LANES, VEC>(n, lane)] = h[n];
        }
        __syncthreads();
        for (int i = threadIdx.x; i < CHANNELS * STATES; i += blockDim.x) {
            float start = state[i];
#pragma unroll
            for (int s = 0; s < SEGMENTS; ++s) {
                const int place = s * CHANNELS * STATES + i;
                const float from_zero = segment_start[place];
                segment_start[place] = start;
                start = segment_decay[place] * start + from_zero;
            }
            state[i] = start;
        }
        __syncthreads();
#pragma unroll
        for (int n = 0; n < kStates; ++n)
            h[n] = segment_start[own + state_of<LANES, VEC>(n, lane)];
#pragma unroll
        for (int s = 0; s < STEPS; ++s) {
            const int row = min(first + s, length - 1) * STATES;
            float sum = 0.0f;
#pragma unroll
            for (int n = 0; n < kStates; n += VEC) {
                const Pack<T, VEC> c = load<VEC>(C + row + state_of<LANES, VEC>(n, lane));
#pragma unroll
                for (int e = 0; e < VEC; ++e) {
                    h[n + e] = decay[s][n + e] * h[n + e] + input[s][n + e];
                    sum += static_cast<float>(c.at[e]) * h[n + e];
                }
            }
            steps.add(s, sum, lane);
        }
        steps.write(at, y, first, length, active, lane);
    }
}

// A block takes CHANNELS channels of one sequence.
template <typename T, int STATES, int LANES = 1, int CHANNELS = 128, int SEGMENTS = 1, int STEPS = 1, int VEC = 1,
          int ROUNDS = 0>
__global__ void mamba1_scan(const T* __restrict__ u, const T* __restrict__ delta, const float* __restrict__ A,
                            const T* __restrict__ B, const T* __restrict__ C, const float* __restrict__ D,
                            const T* __restrict__ z, const float* __restrict__ delta_bias, T* __restrict__ y,
                            float* __restrict__ last_state, int length, int channels)
{
    constexpr int kStates = STATES / LANES;
    __shared__ float segment_state[SEGMENTS][CHANNELS][STATES];
    __shared__ float segment_dt[SEGMENTS][CHANNELS];
    __shared__ float segment_decay[ROUNDS ? SEGMENTS * CHANNELS * STATES : 1];
    __shared__ float block_state[ROUNDS ? CHANNELS * STATES : 1];

    const int lane = threadIdx.x % LANES;
    const int place = threadIdx.x / LANES % CHANNELS;
    const int segment = threadIdx.x / (LANES * CHANNELS);
    const int channel = blockIdx.x * CHANNELS + place;
    const bool active = channel < channels;
    const int safe_channel = active ? channel : 0;
    const size_t row = (size_t)blockIdx.y * length;

    const size_t start = row * channels + safe_channel;
    const Channel<T> at = {u + start, delta + start, z + start, (size_t)channels, delta_bias[safe_channel],
                           D[safe_channel]};
    const int most = (length + SEGMENTS - 1) / SEGMENTS;
    const int begin = min(segment * most, length);
    const int end = min(begin + most, length);

    float a[kStates], h[kStates];
#pragma unroll
    for (int n = 0; n < kStates; ++n) {
        a[n] = A[safe_channel * STATES + state_of<LANES, VEC>(n, lane)];
        h[n] = 0.0f;
    }

    if (ROUNDS) {
        for (int i = threadIdx.x; i < CHANNELS * STATES; i += blockDim.x)
            block_state[i] = 0.0f;
        advance_in_rounds<T, STATES, LANES, CHANNELS, SEGMENTS, STEPS, VEC>(at, y + start, B + row * STATES,
                                                                            C + row * STATES, a, block_state,
                                                                            segment_decay, &segment_state[0][0][0],
                                                                            length, active);
        for (int i = threadIdx.x; i < CHANNELS * STATES; i += blockDim.x)
            if (blockIdx.x * CHANNELS + i / STATES < channels)
                last_state[((size_t)blockIdx.y * channels + blockIdx.x * CHANNELS) * STATES + i] = block_state[i];
        return;
    }
    if (SEGMENTS > 1) {
        const float dt = advance<T, STATES, LANES, STEPS, VEC, false>(at, y + start, B + row * STATES, C + row * STATES,
                                                                 a, h, begin, end, most, active, lane);
#pragma unroll
        for (int n = 0; n < kStates; ++n)
            segment_state[segment][place][state_of<LANES, VEC>(n, lane)] = h[n];
        if (lane == 0)
            segment_dt[segment][place] = dt;
        __syncthreads();
#pragma unroll
        for (int n = 0; n < kStates; ++n) {
            h[n] = 0.0f;
            for (int before = 0; before < segment; ++before)
                h[n] = expf(a[n] * segment_dt[before][place]) * h[n] +
                       segment_state[before][place][state_of<LANES, VEC>(n, lane)];
        }
    }
    advance<T, STATES, LANES, STEPS, VEC, true>(at, y + start, B + row * STATES, C + row * STATES, a, h, begin, end, most,
                                           active, lane);

    if (active && segment == SEGMENTS - 1) {
#pragma unroll
        for (int n = 0; n < kStates; ++n)
            last_state[((size_t)blockIdx.y * channels + channel) * STATES + state_of<LANES, VEC>(n, lane)] = h[n];
    }
}

// One token. state and next_state are [batch, channels, STATES]; u, delta, z, y [batch, channels]; B, C [batch, STATES].
template <typename T, int STATES, int THREADS = 128, int LANES = 1>
__global__ void mamba1_step(const float* __restrict__ state, const T* __restrict__ u, const T* __restrict__ delta,
                            const float* __restrict__ A, const T* __restrict__ B, const T* __restrict__ C,
                            const float* __restrict__ D, const T* __restrict__ z,
                            const float* __restrict__ delta_bias, T* __restrict__ y,
                            float* __restrict__ next_state, int batch, int channels)
{
    const int index = blockIdx.x * (THREADS / LANES) + threadIdx.x / LANES;
    const int lane = threadIdx.x % LANES;
    const bool active = index < batch * channels;
    const int safe_index = active ? index : 0;
    const int b = safe_index / channels;
    const int channel = safe_index % channels;

    const float ut = static_cast<float>(u[safe_index]);
    const float dt = softplus(static_cast<float>(delta[safe_index]) + delta_bias[channel]);
    float sum = 0.0f;
#pragma unroll
    for (int n = lane; n < STATES; n += LANES) {
        const float decay = expf(dt * A[channel * STATES + n]);
        const float next = decay * state[(size_t)safe_index * STATES + n] +
                           dt * ut * static_cast<float>(B[b * STATES + n]);
        sum += static_cast<float>(C[b * STATES + n]) * next;
        if (active)
            next_state[(size_t)index * STATES + n] = next;
    }
#pragma unroll
    for (int mask = LANES / 2; mask > 0; mask >>= 1)
        sum += __shfl_xor_sync(FULL_MASK, sum, mask);
    if (active && lane == 0)
        y[index] = static_cast<T>((sum + D[channel] * ut) * silu(static_cast<float>(z[index])));
}

template <typename T>
void prefill(const T* u, const T* delta, const float* A, const T* B, const T* C, const float* D, const T* z,
             const float* delta_bias, T* y, float* last_state, int batch, int length, int channels,
             cudaStream_t stream)
{
    dim3 grid((channels + 127) / 128, batch);
    mamba1_scan<T, 16><<<grid, 128, 0, stream>>>(u, delta, A, B, C, D, z, delta_bias, y, last_state, length,
                                                 channels);
}

template <typename T>
void step(const float* state, const T* u, const T* delta, const float* A, const T* B, const T* C, const float* D,
          const T* z, const float* delta_bias, T* y, float* next_state, int batch, int channels,
          cudaStream_t stream)
{
    const int blocks = (batch * channels + 127) / 128;
    mamba1_step<T, 16><<<blocks, 128, 0, stream>>>(state, u, delta, A, B, C, D, z, delta_bias, y, next_state, batch,
                                                   channels);
}

#define INSTANTIATE(T)                                                                                             \
    template void prefill<T>(const T*, const T*, const float*, const T*, const T*, const float*, const T*,        \
                             const float*, T*, float*, int, int, int, cudaStream_t);                               \
    template void step<T>(const float*, const T*, const T*, const float*, const T*, const T*, const float*,       \
                          const T*, const float*, T*, float*, int, int, cudaStream_t);
INSTANTIATE(float)
INSTANTIATE(__half)
INSTANTIATE(__nv_bfloat16)
