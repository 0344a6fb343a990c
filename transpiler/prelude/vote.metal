// Votes, matches and reductions over the lanes named by a mask. They see active lanes only, as Metal does.
namespace cu {

// __activemask
inline uint activemask() {
    return uint(ulong(metal::simd_active_threads_mask()));
}

// __ballot_sync
inline uint ballot_sync(uint mask, bool predicate) {
    return uint(ulong(metal::simd_ballot(predicate))) & mask;
}

// __any_sync, __all_sync, __uni_sync
inline bool any_sync(uint mask, bool predicate) {
    return ballot_sync(mask, predicate) != 0u;
}
inline bool all_sync(uint mask, bool predicate) {
    return ballot_sync(mask, !predicate) == 0u;
}
inline bool uni_sync(uint mask, bool predicate) {
    uint votes = ballot_sync(mask, predicate);
    return votes == 0u || votes == (activemask() & mask);
}

// Bits that a match compares: CUDA compares registers, so -0.0f differs from 0.0f and a NaN matches itself.
template <typename T>
inline T match_bits(T value) {
    return value;
}
inline uint match_bits(float value) {
    return as_type<uint>(value);
}

// __match_any_sync: the lanes of the mask that hold the same value as this one.
template <typename T>
inline uint match_any_sync(uint mask, T value) {
    uint members = activemask() & mask;
    if (members == 0u) return 0u;
    uint most = metal::simd_max(metal::popcount(members));
    uint left = members, same = 0u;
    for (uint i = 0u; i < most; ++i) {
        uint source = metal::ctz(left != 0u ? left : members);
        if (match_bits(lane_value(value, source)) == match_bits(value)) same |= 1u << source;
        left &= left - 1u;
    }
    return same;
}

// __match_all_sync: the mask where all its lanes agree, else 0; `agree` says which.
template <typename T>
inline uint match_all_sync(uint mask, T value, thread int* agree) {
    uint members = activemask() & mask;
    bool same = match_any_sync(mask, value) == members;
    *agree = same ? 1 : 0;
    return same ? mask : 0u;
}

// Folds the values of the mask's lanes in lane order. Lanes may call it with different masks at once; they stay in the
// loop together all the same, as long as the largest mask needs, since a shuffle is for all of them.
template <typename T, typename Op>
inline T reduce_masked(uint mask, T value, Op op) {
    uint members = activemask() & mask;
    if (members == 0u) return value;
    uint most = metal::simd_max(metal::popcount(members));
    uint left = members & (members - 1u);
    T result = lane_value(value, metal::ctz(members));
    for (uint i = 1u; i < most; ++i) {
        T other = lane_value(value, metal::ctz(left != 0u ? left : members));
        if (left != 0u) result = op(result, other);
        left &= left - 1u;
    }
    return result;
}

// __reduce_add_sync and its kin: one Metal instruction for a full mask, a fold over the mask's lanes else.
template <typename T>
inline T reduce_add_sync(uint mask, T value) {
    return mask == 0xffffffffu ? metal::simd_sum(value) : reduce_masked(mask, value, plus<T>());
}
template <typename T>
inline T reduce_min_sync(uint mask, T value) {
    return mask == 0xffffffffu ? metal::simd_min(value) : reduce_masked(mask, value, less<T>());
}
template <typename T>
inline T reduce_max_sync(uint mask, T value) {
    return mask == 0xffffffffu ? metal::simd_max(value) : reduce_masked(mask, value, greater<T>());
}
template <typename T>
inline T reduce_and_sync(uint mask, T value) {
    return mask == 0xffffffffu ? metal::simd_and(value) : reduce_masked(mask, value, bit_and<T>());
}
template <typename T>
inline T reduce_or_sync(uint mask, T value) {
    return mask == 0xffffffffu ? metal::simd_or(value) : reduce_masked(mask, value, bit_or<T>());
}
template <typename T>
inline T reduce_xor_sync(uint mask, T value) {
    return mask == 0xffffffffu ? metal::simd_xor(value) : reduce_masked(mask, value, bit_xor<T>());
}

}  // namespace cu
