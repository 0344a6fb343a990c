// Attention forward with an online softmax: one thread per query row, keys and values staged in shared memory.
//
// Q, K, V, O are [batch, heads, length, HEAD_DIM], row-major. lse receives the log-sum-exp of each row, for
// a backward pass.
#include <cmath>
#include <cuda_runtime.h>

constexpr int kQueries = 64;  // query rows per block = threads per block
constexpr int kKeys = 16;     // keys per tile

template <int HEAD_DIM, bool CAUSAL>
__global__ __launch_bounds__(kQueries) void attention_forward(const float* __restrict__ Q,
                                                              const float* __restrict__ K,
                                                              const float* __restrict__ V, float* __restrict__ O,
                                                              float* __restrict__ lse, const int q_len,
                                                              const int k_len, const float scale)
{
    __shared__ float k_tile[kKeys][HEAD_DIM];
    __shared__ float v_tile[kKeys][HEAD_DIM];

    const int bh = blockIdx.y;  // batch * heads
    const int q_row = blockIdx.x * kQueries + threadIdx.x;
    const bool active = q_row < q_len;
    const float* q_ptr = Q + ((size_t)bh * q_len + q_row) * HEAD_DIM;
    const float* k_base = K + (size_t)bh * k_len * HEAD_DIM;
    const float* v_base = V + (size_t)bh * k_len * HEAD_DIM;

    float q[HEAD_DIM], acc[HEAD_DIM];
#pragma unroll
    for (int d = 0; d < HEAD_DIM; ++d) {
        q[d] = active ? q_ptr[d] * scale : 0.0f;
        acc[d] = 0.0f;
    }
    float m = -INFINITY;
    float l = 0.0f;

    // with a causal mask the last query attends to the last key
    const int last_key = CAUSAL ? q_row + (k_len - q_len) : k_len - 1;

    for (int start = 0; start < k_len; start += kKeys) {
        __syncthreads();  // the tile of the previous round is still being read
        for (int i = threadIdx.x; i < kKeys * HEAD_DIM; i += kQueries) {
            const int key = start + i / HEAD_DIM;
            const bool valid = key < k_len;
            k_tile[i / HEAD_DIM][i % HEAD_DIM] = valid ? k_base[(size_t)start * HEAD_DIM + i] : 0.0f;
            v_tile[i / HEAD_DIM][i % HEAD_DIM] = valid ? v_base[(size_t)start * HEAD_DIM + i] : 0.0f;
        }
        __syncthreads();

        float s[kKeys];
        float tile_max = -INFINITY;
#pragma unroll
        for (int j = 0; j < kKeys; ++j) {
            float dot = 0.0f;
#pragma unroll
            for (int d = 0; d < HEAD_DIM; ++d)
                dot += q[d] * k_tile[j][d];
            s[j] = (start + j < k_len && start + j <= last_key) ? dot : -INFINITY;
            tile_max = fmaxf(tile_max, s[j]);
        }

        const float m_new = fmaxf(m, tile_max);
        if (m_new == -INFINITY)
            continue;  // everything masked so far
        const float correction = expf(m - m_new);
        l *= correction;
#pragma unroll
        for (int d = 0; d < HEAD_DIM; ++d)
            acc[d] *= correction;
#pragma unroll
        for (int j = 0; j < kKeys; ++j) {
            const float p = expf(s[j] - m_new);
            l += p;
#pragma unroll
            for (int d = 0; d < HEAD_DIM; ++d)
                acc[d] += p * v_tile[j][d];
        }
        m = m_new;
    }

    if (active) {
        const float inv = l > 0.0f ? 1.0f / l : 0.0f;
        float* o_ptr = O + ((size_t)bh * q_len + q_row) * HEAD_DIM;
#pragma unroll
        for (int d = 0; d < HEAD_DIM; ++d)
            o_ptr[d] = acc[d] * inv;
        lse[(size_t)bh * q_len + q_row] = m + logf(l);
    }
}

template <int HEAD_DIM>
void run_attention(const float* Q, const float* K, const float* V, float* O, float* lse, int batch, int heads,
                   int q_len, int k_len, bool causal, cudaStream_t stream)
{
    const float scale = 1.0f / sqrtf((float)HEAD_DIM);
    const dim3 grid((q_len + kQueries - 1) / kQueries, batch * heads);
    if (causal) {
        attention_forward<HEAD_DIM, true><<<grid, kQueries, 0, stream>>>(Q, K, V, O, lse, q_len, k_len, scale);
    } else {
        attention_forward<HEAD_DIM, false><<<grid, kQueries, 0, stream>>>(Q, K, V, O, lse, q_len, k_len, scale);
    }
}

template void run_attention<32>(const float*, const float*, const float*, float*, float*, int, int, int, int, bool,
                                cudaStream_t);
template void run_attention<64>(const float*, const float*, const float*, float*, float*, int, int, int, int, bool,
                                cudaStream_t);
