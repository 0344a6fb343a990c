// What the Metal headers ask of the machine, as CUDA has it.
#pragma once
#include "std.h"

namespace engine {

namespace detail {
template <class T, T... I>
struct Sequence {};
template <class T, int N, T... I>
struct Counter : Counter<T, N - 1, N - 1, I...> {};
template <class T, T... I>
struct Counter<T, 0, I...> {
    using type = Sequence<T, I...>;
};
template <class T, T N>
using Count = typename Counter<T, N>::type;
}  // namespace detail

struct Dim3 {
    unsigned x, y, z;
};
inline constexpr unsigned kSimd = 32;

inline Dim3 thread_index() { return {threadIdx.x, threadIdx.y, threadIdx.z}; }
inline Dim3 block_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
inline Dim3 block_dim() { return {blockDim.x, blockDim.y, blockDim.z}; }
inline Dim3 full_block_dim() { return block_dim(); }
inline Dim3 grid_dim() { return {gridDim.x, gridDim.y, gridDim.z}; }
inline Dim3 grid_threads() { return {gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z}; }
inline unsigned group_threads() { return blockDim.x * blockDim.y * blockDim.z; }
inline unsigned linear_index() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
inline unsigned lane() { return linear_index() % kSimd; }
inline unsigned simdgroup() { return linear_index() / kSimd; }
inline unsigned active_lanes() { return __activemask(); }

// One threadgroup variable: the lambda's type makes each definition a variable of its own.
template <class T, class Tag>
inline T& shared(Tag) {
    __shared__ T memory;
    return memory;
}
inline void* dynamic_shared() {
    extern __shared__ __align__(16) unsigned char memory[];
    return memory;
}

template <class... A>
inline void print(const char* format, A... values) {
    printf(format, values...);
}

}  // namespace engine
