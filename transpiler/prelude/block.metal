// Barriers that vote over the whole threadgroup. `scratch` is 32 words that nothing else uses; `thread_index`
// is thread_index_in_threadgroup and `threads` the threadgroup's size. Every thread must come here.
namespace cu {

// __syncthreads, which in CUDA orders global memory within the block too.
inline void syncthreads() {
    metal::threadgroup_barrier(metal::mem_flags::mem_device | metal::mem_flags::mem_threadgroup);
}

// __syncthreads_count: how many threads of the block hold a true predicate.
inline int syncthreads_count(bool predicate, threadgroup uint* scratch, uint thread_index, uint threads) {
    uint votes = uint(ulong(metal::simd_ballot(predicate)));
    if ((thread_index & 31u) == 0u) scratch[thread_index >> 5] = metal::popcount(votes);
    syncthreads();
    uint total = 0u;
    for (uint warp = 0u; warp < (threads + 31u) >> 5; ++warp) total += scratch[warp];
    syncthreads();  // before the scratch is written again
    return int(total);
}

// __syncthreads_and, __syncthreads_or: non-zero where all, or any, of the predicates are true.
inline int syncthreads_and(bool predicate, threadgroup uint* scratch, uint thread_index, uint threads) {
    return syncthreads_count(predicate, scratch, thread_index, threads) == int(threads) ? 1 : 0;
}
inline int syncthreads_or(bool predicate, threadgroup uint* scratch, uint thread_index, uint threads) {
    return syncthreads_count(predicate, scratch, thread_index, threads) != 0 ? 1 : 0;
}

}  // namespace cu
