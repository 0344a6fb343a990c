// cub's reductions over a block or a simdgroup, for any type and any associative operator, in thread order. The
// constructors take, beside cub's TempStorage, the thread's rank in the block (thread_index_in_threadgroup).
namespace cu {

// cub::Sum, cub::Max, cub::Min
struct Sum {
    template <typename T>
    T operator()(T a, T b) const {
        return a + b;
    }
};
struct Max {
    template <typename T>
    T operator()(T a, T b) const {
        return a < b ? b : a;
    }
};
struct Min {
    template <typename T>
    T operator()(T a, T b) const {
        return b < a ? b : a;
    }
};

// cub::KeyValuePair, and the operators on it that prefer the smaller key where values are equal.
template <typename Key, typename Value>
struct KeyValuePair {
    Key key;
    Value value;
};
struct ArgMax {
    template <typename Pair>
    Pair operator()(Pair a, Pair b) const {
        return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
struct ArgMin {
    template <typename Pair>
    Pair operator()(Pair a, Pair b) const {
        return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};

// The widest word that divides a type of this alignment.
template <int Alignment>
struct lane_word {
    using type = uint;
};
template <>
struct lane_word<1> {
    using type = uchar;
};
template <>
struct lane_word<2> {
    using type = ushort;
};
template <typename T>
union lane_bits {
    using word = typename lane_word<(alignof(T) < 4 ? int(alignof(T)) : 4)>::type;
    T value;
    word words[sizeof(T) / sizeof(word)];

    lane_bits(T held) : value(held) {}
};

// The value of any type that lane `source` of the simdgroup holds, records included.
template <typename T>
inline T lane_copy(T value, uint source) {
    lane_bits<T> bits(value);
    for (uint i = 0u; i < sizeof(bits.words) / sizeof(bits.words[0]); ++i) {
        bits.words[i] = metal::simd_shuffle(bits.words[i], ushort(source));
    }
    return bits.value;
}

// Folds the values of neighbouring lanes, of which this one is number `index` of `count`; the first of them gets
// the result.
template <typename T, typename Op>
inline T fold_lanes(T value, uint lane, uint index, uint count, Op op) {
    for (uint distance = 1u; distance < 32u; distance *= 2u) {
        bool more = index + distance < count;
        T other = lane_copy(value, more ? lane + distance : lane);
        if (more) value = op(value, other);
    }
    return value;
}

// cub::BlockReduceAlgorithm
constexpr constant int BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY = 0;
constexpr constant int BLOCK_REDUCE_RAKING = 1;
constexpr constant int BLOCK_REDUCE_WARP_REDUCTIONS = 2;

// cub::BlockReduce: the result is thread 0's, as in cub.
template <typename T, int BlockDimX, int Algorithm = 2, int BlockDimY = 1, int BlockDimZ = 1>
struct BlockReduce {
    static constexpr constant int threads = BlockDimX * BlockDimY * BlockDimZ;
    struct TempStorage {
        T slots[(BlockDimX * BlockDimY * BlockDimZ + 31) / 32];
    };
    threadgroup TempStorage* storage;
    uint rank;

    BlockReduce(threadgroup TempStorage& temp, uint thread_rank) : storage(&temp), rank(thread_rank) {}

    template <typename Op>
    T Reduce(T value, Op op, int valid) const {
        uint warp = rank >> 5u, lane = rank & 31u;
        uint count = metal::min(uint(metal::max(valid - int(warp * 32u), 0)), 32u);
        T result = fold_lanes(value, lane, lane, count, op);
        if (lane == 0u) storage->slots[warp] = result;
        syncthreads();
        for (int first = 32; rank == 0u && first < valid; first += 32) {
            T next = storage->slots[first / 32];
            result = op(result, next);
        }
        return result;
    }
    template <typename Op>
    T Reduce(T value, Op op) const {
        return Reduce(value, op, threads);
    }
    template <int Items, typename Op>
    T Reduce(thread T (&values)[Items], Op op) const {
        T value = values[0];
        for (int i = 1; i < Items; ++i) value = op(value, values[i]);
        return Reduce(value, op);
    }
    T Sum(T value) const {
        return Reduce(value, cu::Sum());
    }
    T Sum(T value, int valid) const {
        return Reduce(value, cu::Sum(), valid);
    }
    template <int Items>
    T Sum(thread T (&values)[Items]) const {
        return Reduce(values, cu::Sum());
    }
};

// cub::WarpReduce: over LogicalWarp consecutive lanes; the result is the first one's.
template <typename T, int LogicalWarp = 32>
struct WarpReduce {
    struct TempStorage {
        uchar unused;
    };
    uint lane, index;

    WarpReduce(threadgroup TempStorage&, uint thread_rank)
        : lane(thread_rank & 31u), index((thread_rank & 31u) % uint(LogicalWarp)) {}

    template <typename Op>
    T Reduce(T value, Op op, int valid) const {
        return fold_lanes(value, lane, index, uint(metal::clamp(valid, 0, LogicalWarp)), op);
    }
    template <typename Op>
    T Reduce(T value, Op op) const {
        return Reduce(value, op, LogicalWarp);
    }
    T Sum(T value) const {
        return Reduce(value, cu::Sum());
    }
    T Sum(T value, int valid) const {
        return Reduce(value, cu::Sum(), valid);
    }

    // Segments begin at lanes whose `flag` is true, or end there; the first lane of each has its result.
    template <typename Op>
    T segmented(T value, bool flag, Op op, uint shift) const {
        uint flags = uint(ulong(metal::simd_ballot(flag)));
        uint next = lane + shift < 32u ? metal::ctz(flags >> (lane + shift)) : 32u;
        return fold_lanes(value, lane, index, metal::min(index + next + 1u, uint(LogicalWarp)), op);
    }
    template <typename Op>
    T HeadSegmentedReduce(T value, int head, Op op) const {
        return segmented(value, head != 0, op, 1u);
    }
    template <typename Op>
    T TailSegmentedReduce(T value, int tail, Op op) const {
        return segmented(value, tail != 0, op, 0u);
    }
    T HeadSegmentedSum(T value, int head) const {
        return HeadSegmentedReduce(value, head, cu::Sum());
    }
    T TailSegmentedSum(T value, int tail) const {
        return TailSegmentedReduce(value, tail, cu::Sum());
    }
};

}  // namespace cu
