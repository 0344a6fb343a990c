// Attention for one new token (decode) with grouped-query heads.
//
//   q    [batch, num_heads, D]                 the new token's queries
//   k, v [batch, num_kv_heads, max_len, D]     the cache; the first lengths[b] positions are valid
//   out  [batch, num_heads, D]
//
// Two ways to spread one head's keys over several blocks: in one kernel, where the last block to finish merges what
// all have written (attention_decode with SPLITS > 1), or in two (attention_decode_split, attention_decode_combine).
#include <cmath>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define WARP_SIZE 32
#define FULL_MASK 0xffffffffu
#define MAX_SPLITS 128
#define NO_SCORE -3.0e38f

__device__ __forceinline__ float as_float(float v) { return v; }
__device__ __forceinline__ float as_float(__half v) { return __half2float(v); }
__device__ __forceinline__ float as_float(__nv_bfloat16 v) { return __bfloat162float(v); }

__device__ __forceinline__ void store(float* p, float v) { *p = v; }
__device__ __forceinline__ void store(__half* p, float v) { *p = __float2half(v); }
__device__ __forceinline__ void store(__nv_bfloat16* p, float v) { *p = __float2bfloat16(v); }

__device__ __forceinline__ float warp_max(float v)
{
#pragma unroll
    for (int mask = WARP_SIZE / 2; mask > 0; mask >>= 1)
        v = fmaxf(v, __shfl_xor_sync(FULL_MASK, v, mask));
    return v;
}

__device__ __forceinline__ float warp_sum(float v)
{
#pragma unroll
    for (int mask = WARP_SIZE / 2; mask > 0; mask >>= 1)
        v += __shfl_xor_sync(FULL_MASK, v, mask);
    return v;
}

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

// The running softmax of one query over the keys that a group of LANES lanes has seen. A lane holds VEC dimensions
// out of every LANES * VEC.
template <int D, int LANES, int VEC>
struct OnlineSoftmax {
    static constexpr int kChunks = (D + LANES * VEC - 1) / (LANES * VEC);
    float m;
    float l;
    float acc[kChunks * VEC];

    __device__ void clear()
    {
        m = NO_SCORE;
        l = 0.0f;
        for (int i = 0; i < kChunks * VEC; ++i)
            acc[i] = 0.0f;
    }

    __device__ void rescale(float m_new)
    {
        const float factor = __expf(m - m_new);
        l *= factor;
#pragma unroll
        for (int i = 0; i < kChunks * VEC; ++i)
            acc[i] *= factor;
        m = m_new;
    }

    // Takes in what the lanes at a distance of `mask` have.
    __device__ void merge(int mask)
    {
        rescale(fmaxf(m, __shfl_xor_sync(FULL_MASK, m, mask)));
        l += __shfl_xor_sync(FULL_MASK, l, mask);
#pragma unroll
        for (int i = 0; i < kChunks * VEC; ++i)
            acc[i] += __shfl_xor_sync(FULL_MASK, acc[i], mask);
    }
};

// Runs a block of WARPS warps over keys [begin, end) for `heads` <= HEADS queries that share them. Each group of
// LANES lanes takes KEYS keys at a time. Leaves per warp and head the unnormalised result, its maximum and its sum.
template <typename T, int D, int WARPS, int LANES, int VEC, int KEYS, int HEADS>
__device__ void attend(const T* q, const T* k, const T* v, int heads, int begin, int end, float scale,
                       float (*warp_acc)[D], float* warp_m, float* warp_l)
{
    constexpr int kChunks = OnlineSoftmax<D, LANES, VEC>::kChunks;
    constexpr int kGroups = WARPS * WARP_SIZE / LANES;
    const int warp = threadIdx.x / WARP_SIZE;
    const int group = threadIdx.x / LANES;
    const int lane = threadIdx.x % LANES;

    float query[HEADS][kChunks * VEC];
    OnlineSoftmax<D, LANES, VEC> state[HEADS];
#pragma unroll
    for (int h = 0; h < HEADS; ++h) {
        state[h].clear();
#pragma unroll
        for (int i = 0; i < kChunks * VEC; ++i) {
            const int d = (i / VEC * LANES + lane) * VEC + i % VEC;
            query[h][i] = h < heads && d < D ? as_float(q[h * D + d]) * scale : 0.0f;
        }
    }

    for (int first = begin + group; first - group < end; first += kGroups * KEYS) {
        Pack<T, VEC> key_parts[KEYS][kChunks], value_parts[KEYS][kChunks];
#pragma unroll
        for (int j = 0; j < KEYS; ++j) {
            // past the end the last key is loaded again, and does not count
            const size_t row = (size_t)min(first + j * kGroups, end - 1) * D;
#pragma unroll
            for (int c = 0; c < kChunks; ++c) {
                const int d = (c * LANES + lane) * VEC;
                key_parts[j][c] = load<VEC>(k + row + (d < D ? d : 0));
                value_parts[j][c] = load<VEC>(v + row + (d < D ? d : 0));
            }
        }
#pragma unroll
        for (int h = 0; h < HEADS; ++h) {
            float score[KEYS];
            float m_new = state[h].m;
#pragma unroll
            for (int j = 0; j < KEYS; ++j) {
                score[j] = 0.0f;
#pragma unroll
                for (int i = 0; i < kChunks * VEC; ++i)
                    score[j] += query[h][i] * as_float(key_parts[j][i / VEC].at[i % VEC]);
#pragma unroll
                for (int mask = LANES / 2; mask > 0; mask >>= 1)
                    score[j] += __shfl_xor_sync(FULL_MASK, score[j], mask);
                if (first + j * kGroups < end)
                    m_new = fmaxf(m_new, score[j]);
            }
            state[h].rescale(m_new);
#pragma unroll
            for (int j = 0; j < KEYS; ++j) {
                const float p = first + j * kGroups < end ? __expf(score[j] - m_new) : 0.0f;
                state[h].l += p;
#pragma unroll
                for (int i = 0; i < kChunks * VEC; ++i)
                    state[h].acc[i] += p * as_float(value_parts[j][i / VEC].at[i % VEC]);
            }
        }
    }

#pragma unroll
    for (int h = 0; h < HEADS; ++h) {
#pragma unroll
        for (int mask = LANES; mask < WARP_SIZE; mask <<= 1)
            state[h].merge(mask);
        if (threadIdx.x % WARP_SIZE < LANES) {
#pragma unroll
            for (int i = 0; i < kChunks * VEC; ++i) {
                const int d = (i / VEC * LANES + lane) * VEC + i % VEC;
                if (d < D)
                    warp_acc[warp * HEADS + h][d] = state[h].acc[i];
            }
        }
        if (threadIdx.x % WARP_SIZE == 0) {
            warp_m[warp * HEADS + h] = state[h].m;
            warp_l[warp * HEADS + h] = state[h].l;
        }
    }
    __syncthreads();
}

// What a split's result counts in the whole, divided by the sum of all. `part` points to the splits' results of one
// head, each D numbers with their maximum and sum. A warp does this for one head.
template <int D, int SPLITS>
__device__ void weigh(const float* part, float* weight)
{
    const int lane = threadIdx.x % WARP_SIZE;
    float m = NO_SCORE, l = 0.0f;
    for (int s = lane; s < SPLITS; s += WARP_SIZE)
        m = fmaxf(m, part[s * (D + 2) + D]);
    m = warp_max(m);
    for (int s = lane; s < SPLITS; s += WARP_SIZE) {
        weight[s] = __expf(part[s * (D + 2) + D] - m);
        l += weight[s] * part[s * (D + 2) + D + 1];
    }
    l = warp_sum(l);
    for (int s = lane; s < SPLITS; s += WARP_SIZE)
        weight[s] = l > 0.0f ? weight[s] / l : 0.0f;
}

// partial [batch, num_heads, MAX_SPLITS, D + 2] and ticket [batch, num_heads] are for SPLITS > 1: unnormalised
// results with their maximum and sum, and how many blocks are done, which starts and ends at zero.
template <typename T, int D, int WARPS = 4, int LANES = 32, int VEC = 1, int KEYS = 1, int HEADS = 1, int SPLITS = 1>
__global__ void attention_decode(const T* __restrict__ q, const T* __restrict__ k, const T* __restrict__ v,
                                 T* __restrict__ out, const int* __restrict__ lengths, float* partial,
                                 unsigned int* ticket, int num_heads, int num_kv_heads, int max_len, float scale)
{
    __shared__ float warp_acc[WARPS * HEADS][D];
    __shared__ float warp_m[WARPS * HEADS];
    __shared__ float warp_l[WARPS * HEADS];
    __shared__ float split_weight[HEADS][SPLITS];
    __shared__ bool is_last;

    const int split = blockIdx.y;
    const int batch = blockIdx.z;
    const int shared_by = num_heads / num_kv_heads;
    const int blocks = (shared_by + HEADS - 1) / HEADS;
    const int kv_head = blockIdx.x / blocks;
    const int head = kv_head * shared_by + blockIdx.x % blocks * HEADS;
    const int heads = min(HEADS, (kv_head + 1) * shared_by - head);
    const size_t cache = ((size_t)batch * num_kv_heads + kv_head) * max_len * D;
    const size_t row = (size_t)batch * num_heads + head;

    const int length = lengths[batch];
    const int per_split = (length + SPLITS - 1) / SPLITS;
    const int begin = min(split * per_split, length);
    const int end = min(begin + per_split, length);

    attend<T, D, WARPS, LANES, VEC, KEYS, HEADS>(q + row * D, k + cache, v + cache, heads, begin, end, scale,
                                                 warp_acc, warp_m, warp_l);

    for (int i = threadIdx.x; i < heads * D; i += blockDim.x) {
        const int h = i / D, d = i % D;
        float m = NO_SCORE, l = 0.0f, acc = 0.0f;
        for (int w = 0; w < WARPS; ++w)
            m = fmaxf(m, warp_m[w * HEADS + h]);
        for (int w = 0; w < WARPS; ++w) {
            const float weight = __expf(warp_m[w * HEADS + h] - m);
            l += weight * warp_l[w * HEADS + h];
            acc += weight * warp_acc[w * HEADS + h][d];
        }
        if (SPLITS == 1) {
            store(out + (row + h) * D + d, l > 0.0f ? acc / l : 0.0f);
        } else {
            const size_t place = ((row + h) * MAX_SPLITS + split) * (D + 2);
            partial[place + d] = acc;
            if (d == 0) {
                partial[place + D] = m;
                partial[place + D + 1] = l;
            }
        }
    }
    if (SPLITS == 1)
        return;

    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        is_last = atomicAdd(ticket + row, 1u) == SPLITS - 1;
    __syncthreads();
    if (!is_last)
        return;
    __threadfence();
    if (threadIdx.x == 0)
        ticket[row] = 0u;
    for (int h = threadIdx.x / WARP_SIZE; h < heads; h += WARPS)
        weigh<D, SPLITS>(partial + (row + h) * MAX_SPLITS * (D + 2), split_weight[h]);
    __syncthreads();
    for (int i = threadIdx.x; i < heads * D; i += blockDim.x) {
        const int h = i / D, d = i % D;
        const float* part = partial + (row + h) * MAX_SPLITS * (D + 2);
        float acc = 0.0f;
#pragma unroll 16
        for (int s = 0; s < SPLITS; ++s)
            acc += split_weight[h][s] * part[s * (D + 2) + d];
        store(out + (row + h) * D + d, acc);
    }
}

// partial_acc [batch, num_heads, splits, D] is not normalised; partial_ml holds (max, sum) per split.
template <typename T, int D>
__global__ void attention_decode_split(const T* __restrict__ q, const T* __restrict__ k,
                                       const T* __restrict__ v, float* __restrict__ partial_acc,
                                       float2* __restrict__ partial_ml, const int* __restrict__ lengths,
                                       int num_heads, int num_kv_heads, int max_len, float scale)
{
    constexpr int kWarps = 4;
    __shared__ float warp_acc[kWarps][D];
    __shared__ float warp_m[kWarps];
    __shared__ float warp_l[kWarps];

    const int head = blockIdx.x;
    const int split = blockIdx.y;
    const int batch = blockIdx.z;
    const int splits = gridDim.y;
    const int kv_head = head / (num_heads / num_kv_heads);
    const size_t cache = ((size_t)batch * num_kv_heads + kv_head) * max_len * D;
    const size_t row = (size_t)batch * num_heads + head;

    const int length = lengths[batch];
    const int per_split = (length + splits - 1) / splits;
    const int begin = min(split * per_split, length);
    const int end = min(begin + per_split, length);

    attend<T, D, kWarps, WARP_SIZE, 1, 1, 1>(q + row * D, k + cache, v + cache, 1, begin, end, scale, warp_acc,
                                             warp_m, warp_l);

    float m = NO_SCORE;
    for (int w = 0; w < kWarps; ++w)
        m = fmaxf(m, warp_m[w]);
    float l = 0.0f;
    for (int w = 0; w < kWarps; ++w)
        l += __expf(warp_m[w] - m) * warp_l[w];
    for (int d = threadIdx.x; d < D; d += blockDim.x) {
        float acc = 0.0f;
        for (int w = 0; w < kWarps; ++w)
            acc += __expf(warp_m[w] - m) * warp_acc[w][d];
        partial_acc[(row * splits + split) * D + d] = acc;
    }
    if (threadIdx.x == 0)
        partial_ml[row * splits + split] = make_float2(l > 0.0f ? m : -INFINITY, l);
}

template <typename T, int D>
__global__ void attention_decode_combine(const float* __restrict__ partial_acc,
                                         const float2* __restrict__ partial_ml, T* __restrict__ out, int splits)
{
    const size_t row = blockIdx.x;
    float m = -INFINITY;
    for (int s = 0; s < splits; ++s)
        m = fmaxf(m, partial_ml[row * splits + s].x);

    for (int d = threadIdx.x; d < D; d += blockDim.x) {
        float l = 0.0f, acc = 0.0f;
        for (int s = 0; s < splits; ++s) {
            const float2 ml = partial_ml[row * splits + s];
            const float weight = ml.y > 0.0f ? __expf(ml.x - m) : 0.0f;
            l += weight * ml.y;
            acc += weight * partial_acc[(row * splits + s) * D + d];
        }
        store(out + row * D + d, l > 0.0f ? acc / l : 0.0f);
    }
}

template <typename T, int D>
void decode(const T* q, const T* k, const T* v, T* out, float* partial, unsigned int* ticket, float* partial_acc,
            float2* partial_ml, const int* lengths, int batch, int num_heads, int num_kv_heads, int max_len,
            int splits, cudaStream_t stream)
{
    const float scale = rsqrtf((float)D);
    const int threads = 4 * WARP_SIZE;
    if (splits == 1) {
        dim3 grid(num_heads, 1, batch);
        attention_decode<T, D><<<grid, threads, 0, stream>>>(q, k, v, out, lengths, partial, ticket, num_heads,
                                                             num_kv_heads, max_len, scale);
        return;
    }
    dim3 grid(num_heads, splits, batch);
    attention_decode_split<T, D><<<grid, threads, 0, stream>>>(q, k, v, partial_acc, partial_ml, lengths,
                                                                num_heads, num_kv_heads, max_len, scale);
    attention_decode_combine<T, D><<<batch * num_heads, D < 128 ? 64 : 128, 0, stream>>>(partial_acc, partial_ml,
                                                                                         out, splits);
}

#define INSTANTIATE(T, D)                                                                                    \
    template void decode<T, D>(const T*, const T*, const T*, T*, float*, unsigned int*, float*, float2*,     \
                               const int*, int, int, int, int, int, cudaStream_t);
INSTANTIATE(float, 64)
INSTANTIATE(float, 128)
INSTANTIATE(__half, 80)
INSTANTIATE(__half, 128)
INSTANTIATE(__nv_bfloat16, 96)
