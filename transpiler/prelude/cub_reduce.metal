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

// Folds the values of up to `width` consecutive threads of one simdgroup, which has `count` of them; the first
// thread gets the result. `slots` points to the first one's.
template <typename T, typename Op>
inline T fold_lanes(threadgroup T* slots, uint index, uint count, uint width, T value, Op op) {
    slots[index] = value;
    simdgroup_sync();
    for (uint distance = 1u; distance < width; distance *= 2u) {
        if ((index & (2u * distance - 1u)) == 0u && index + distance < count) {
            value = op(value, T(slots[index + distance]));
            slots[index] = value;
        }
        simdgroup_sync();
    }
    return value;
}

// cub::BlockReduce: the result is thread 0's, as in cub.
template <typename T, int BlockDimX, int Algorithm = 0, int BlockDimY = 1, int BlockDimZ = 1>
struct BlockReduce {
    static constexpr constant uint threads = uint(BlockDimX * BlockDimY * BlockDimZ);
    struct TempStorage {
        T slots[BlockDimX * BlockDimY * BlockDimZ];
    };
    threadgroup TempStorage* storage;
    uint rank;

    BlockReduce(threadgroup TempStorage& temp, uint thread_rank) : storage(&temp), rank(thread_rank) {}

    template <typename Op>
    T Reduce(T value, Op op, int valid) const {
        uint warp = rank & ~31u;
        uint count = uint(valid) > warp ? uint(valid) - warp : 0u;
        fold_lanes(storage->slots + warp, rank - warp, count, 32u, value, op);
        syncthreads();
        T result = storage->slots[0];
        for (uint first = 32u; first < uint(valid); first += 32u) result = op(result, T(storage->slots[first]));
        return result;
    }
    template <typename Op>
    T Reduce(T value, Op op) const {
        return Reduce(value, op, int(threads));
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
        T slots[LogicalWarp];
    };
    threadgroup TempStorage* storage;
    uint index;

    WarpReduce(threadgroup TempStorage& temp, uint thread_rank)
        : storage(&temp), index((thread_rank & 31u) % uint(LogicalWarp)) {}

    template <typename Op>
    T Reduce(T value, Op op, int valid) const {
        return fold_lanes(storage->slots, index, uint(valid), uint(LogicalWarp), value, op);
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
};

}  // namespace cu
