// Rotary position embedding, in place on a query or key tensor [tokens, heads, head_dim].
//
// NEOX: the rotated pairs are (i, i + dim/2); otherwise they are neighbours (2i, 2i + 1).
// cos_sin_cache is [max_position, rot_dim]: the first half of a row holds cosines, the second half sines.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

template <typename T, bool NEOX>
inline __device__ void rotate_pair(T* __restrict__ head, const float* cos_ptr, const float* sin_ptr, int pair,
                                   int embed_dim)
{
    int x_index, y_index;
    if (NEOX) {
        x_index = pair;
        y_index = embed_dim + pair;
    } else {
        x_index = 2 * pair;
        y_index = 2 * pair + 1;
    }
    const float c = __ldg(cos_ptr + pair);
    const float s = __ldg(sin_ptr + pair);
    const float x = static_cast<float>(head[x_index]);
    const float y = static_cast<float>(head[y_index]);
    head[x_index] = static_cast<T>(x * c - y * s);
    head[y_index] = static_cast<T>(y * c + x * s);
}

template <typename T, bool NEOX>
__global__ void rope_in_place(const long* __restrict__ positions, T* __restrict__ states,
                              const float* __restrict__ cos_sin_cache, const int rot_dim, const int num_heads,
                              const int head_dim)
{
    // one block per token
    const int token = blockIdx.x;
    const long position = positions[token];
    const float* cache = cos_sin_cache + position * rot_dim;

    const int embed_dim = rot_dim / 2;
    const float* cos_ptr = cache;
    const float* sin_ptr = cache + embed_dim;

    T* token_states = states + (long)token * num_heads * head_dim;
    for (int i = threadIdx.x; i < num_heads * embed_dim; i += blockDim.x) {
        const int head = i / embed_dim;
        rotate_pair<T, NEOX>(token_states + head * head_dim, cos_ptr, sin_ptr, i % embed_dim, embed_dim);
    }
}

template <typename T>
void apply_rope(const long* positions, T* states, const float* cos_sin_cache, int rot_dim, int num_heads,
                int head_dim, int num_tokens, bool is_neox, cudaStream_t stream)
{
    dim3 grid(num_tokens);
    dim3 block(min(num_heads * rot_dim / 2, 512));
    if (is_neox)
        rope_in_place<T, true>
            <<<grid, block, 0, stream>>>(positions, states, cos_sin_cache, rot_dim, num_heads, head_dim);
    else
        rope_in_place<T, false>
            <<<grid, block, 0, stream>>>(positions, states, cos_sin_cache, rot_dim, num_heads, head_dim);
}

template void apply_rope<float>(const long*, float*, const float*, int, int, int, int, bool, cudaStream_t);
template void apply_rope<__half>(const long*, __half*, const float*, int, int, int, int, bool, cudaStream_t);
