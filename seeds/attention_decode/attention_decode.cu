// Attention for one new token (decode) with grouped-query heads.
//
//   q    [batch, num_heads, D]                 the new token's queries
//   k, v [batch, num_kv_heads, max_len, D]     the cache; the first lengths[b] positions are valid
//   out  [batch, num_heads, D]
//
// Two ways: one block per head over all keys (attention_decode), or keys split over several blocks
// (attention_decode_split) whose partial results attention_decode_combine merges.
#include <cmath>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define WARP_SIZE 32
#define NUM_WARPS 4
#define FULL_MASK 0xffffffffu

__device__ __forceinline__ float as_float(float v) { return v; }
__device__ __forceinline__ float as_float(__half v) { return __half2float(v); }
__device__ __forceinline__ float as_float(__nv_bfloat16 v) { return __bfloat162float(v); }

__device__ __forceinline__ void store(float* p, float v) { *p = v; }
__device__ __forceinline__ void store(__half* p, float v) { *p = __float2half(v); }
__device__ __forceinline__ void store(__nv_bfloat16* p, float v) { *p = __float2bfloat16(v); }

__device__ __forceinline__ float warp_sum(float v)
{
#pragma unroll
    for (int mask = WARP_SIZE / 2; mask > 0; mask >>= 1)
        v += __shfl_xor_sync(FULL_MASK, v, mask);
    return v;
}

// One warp's running softmax over the keys it has seen. Lane i holds dimensions i, i + 32, i + 64 ...
template <int D>
struct OnlineSoftmax {
    static constexpr int kPerLane = (D + WARP_SIZE - 1) / WARP_SIZE;
    float m;
    float l;
    float acc[kPerLane];

    __device__ void clear()
    {
        m = -INFINITY;
        l = 0.0f;
        for (int i = 0; i < kPerLane; ++i)
            acc[i] = 0.0f;
    }

    template <typename T>
    __device__ void add(float score, const T* value, int lane)
    {
        const float m_new = fmaxf(m, score);
        const float old_scale = __expf(m - m_new);
        const float p = __expf(score - m_new);
        l = l * old_scale + p;
#pragma unroll
        for (int i = 0; i < kPerLane; ++i) {
            const int d = i * WARP_SIZE + lane;
            const float v = d < D ? as_float(value[d]) : 0.0f;
            acc[i] = acc[i] * old_scale + p * v;
        }
        m = m_new;
    }
};

// Runs the block's warps over keys [begin, end) and leaves the merged result in shared memory.
template <typename T, int D>
__device__ void attend(const T* q, const T* k, const T* v, int begin, int end, float scale,
                       float (*warp_acc)[D], float* warp_m, float* warp_l)
{
    const int lane = threadIdx.x % WARP_SIZE;
    const int warp = threadIdx.x / WARP_SIZE;
    constexpr int kPerLane = OnlineSoftmax<D>::kPerLane;

    float query[kPerLane];
#pragma unroll
    for (int i = 0; i < kPerLane; ++i) {
        const int d = i * WARP_SIZE + lane;
        query[i] = d < D ? as_float(q[d]) * scale : 0.0f;
    }

    OnlineSoftmax<D> state;
    state.clear();
    for (int key = begin + warp; key < end; key += NUM_WARPS) {
        float dot = 0.0f;
#pragma unroll
        for (int i = 0; i < kPerLane; ++i) {
            const int d = i * WARP_SIZE + lane;
            if (d < D)
                dot += query[i] * as_float(k[(size_t)key * D + d]);
        }
        state.add(warp_sum(dot), v + (size_t)key * D, lane);
    }

#pragma unroll
    for (int i = 0; i < kPerLane; ++i) {
        const int d = i * WARP_SIZE + lane;
        if (d < D)
            warp_acc[warp][d] = state.acc[i];
    }
    if (lane == 0) {
        warp_m[warp] = state.m;
        warp_l[warp] = state.l;
    }
    __syncthreads();
}

template <typename T, int D>
__global__ void attention_decode(const T* __restrict__ q, const T* __restrict__ k, const T* __restrict__ v,
                                 T* __restrict__ out, const int* __restrict__ lengths, int num_heads,
                                 int num_kv_heads, int max_len, float scale)
{
    __shared__ float warp_acc[NUM_WARPS][D];
    __shared__ float warp_m[NUM_WARPS];
    __shared__ float warp_l[NUM_WARPS];

    const int head = blockIdx.x;
    const int batch = blockIdx.y;
    const int kv_head = head / (num_heads / num_kv_heads);
    const size_t cache = ((size_t)batch * num_kv_heads + kv_head) * max_len * D;
    const size_t row = ((size_t)batch * num_heads + head) * D;

    attend<T, D>(q + row, k + cache, v + cache, 0, lengths[batch], scale, warp_acc, warp_m, warp_l);

    float m = -INFINITY;
    for (int w = 0; w < NUM_WARPS; ++w)
        m = fmaxf(m, warp_m[w]);
    for (int d = threadIdx.x; d < D; d += blockDim.x) {
        float l = 0.0f, acc = 0.0f;
        for (int w = 0; w < NUM_WARPS; ++w) {
            const float weight = warp_l[w] > 0.0f ? __expf(warp_m[w] - m) : 0.0f;
            l += weight * warp_l[w];
            acc += weight * warp_acc[w][d];
        }
        store(out + row + d, l > 0.0f ? acc / l : 0.0f);
    }
}

// partial_acc [batch, num_heads, splits, D] is not normalised; partial_ml holds (max, sum) per split.
template <typename T, int D>
__global__ void attention_decode_split(const T* __restrict__ q, const T* __restrict__ k,
                                       const T* __restrict__ v, float* __restrict__ partial_acc,
                                       float2* __restrict__ partial_ml, const int* __restrict__ lengths,
                                       int num_heads, int num_kv_heads, int max_len, float scale)
{
    __shared__ float warp_acc[NUM_WARPS][D];
    __shared__ float warp_m[NUM_WARPS];
    __shared__ float warp_l[NUM_WARPS];

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

    attend<T, D>(q + row * D, k + cache, v + cache, begin, end, scale, warp_acc, warp_m, warp_l);

    float m = -INFINITY;
    for (int w = 0; w < NUM_WARPS; ++w)
        m = fmaxf(m, warp_m[w]);
    float l = 0.0f;
    for (int w = 0; w < NUM_WARPS; ++w)
        l += warp_l[w] > 0.0f ? __expf(warp_m[w] - m) * warp_l[w] : 0.0f;
    for (int d = threadIdx.x; d < D; d += blockDim.x) {
        float acc = 0.0f;
        for (int w = 0; w < NUM_WARPS; ++w)
            acc += warp_l[w] > 0.0f ? __expf(warp_m[w] - m) * warp_acc[w][d] : 0.0f;
        partial_acc[(row * splits + split) * D + d] = acc;
    }
    if (threadIdx.x == 0)
        partial_ml[row * splits + split] = make_float2(m, l);
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
void decode(const T* q, const T* k, const T* v, T* out, float* partial_acc, float2* partial_ml,
            const int* lengths, int batch, int num_heads, int num_kv_heads, int max_len, int splits,
            cudaStream_t stream)
{
    const float scale = rsqrtf((float)D);
    const int threads = NUM_WARPS * WARP_SIZE;
    if (splits == 1) {
        dim3 grid(num_heads, batch);
        attention_decode<T, D><<<grid, threads, 0, stream>>>(q, k, v, out, lengths, num_heads, num_kv_heads,
                                                              max_len, scale);
        return;
    }
    dim3 grid(num_heads, splits, batch);
    attention_decode_split<T, D><<<grid, threads, 0, stream>>>(q, k, v, partial_acc, partial_ml, lengths,
                                                                num_heads, num_kv_heads, max_len, scale);
    attention_decode_combine<T, D><<<batch * num_heads, D < 128 ? 64 : 128, 0, stream>>>(partial_acc, partial_ml,
                                                                                         out, splits);
}

#define INSTANTIATE(T, D)                                                                                        \
    template void decode<T, D>(const T*, const T*, const T*, T*, float*, float2*, const int*, int, int, int, int, \
                               int, cudaStream_t);
INSTANTIATE(float, 64)
INSTANTIATE(float, 128)
INSTANTIATE(__half, 80)
INSTANTIATE(__half, 128)
INSTANTIATE(__nv_bfloat16, 96)
