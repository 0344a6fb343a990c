// cub's scans over a block or a simdgroup, for any type and any associative operator.
namespace cu {

// The inclusive scan over the threads of one simdgroup; `slots` points to the first one's and keeps the results.
template <typename T, typename Op>
inline T scan_lanes(threadgroup T* slots, uint index, uint width, T value, Op op) {
    slots[index] = value;
    simdgroup_sync();
    for (uint distance = 1u; distance < width; distance *= 2u) {
        if (index >= distance) value = op(T(slots[index - distance]), value);
        simdgroup_sync();
        slots[index] = value;
        simdgroup_sync();
    }
    return value;
}

// cub::BlockScan
template <typename T, int BlockDimX, int Algorithm = 0, int BlockDimY = 1, int BlockDimZ = 1>
struct BlockScan {
    static constexpr constant uint threads = uint(BlockDimX * BlockDimY * BlockDimZ);
    struct TempStorage {
        T slots[BlockDimX * BlockDimY * BlockDimZ];
        T prefix;
    };
    threadgroup TempStorage* storage;
    uint rank;

    BlockScan(threadgroup TempStorage& temp, uint thread_rank) : storage(&temp), rank(thread_rank) {}

    // Both scans of one value; `before` is left alone in thread 0, before which nothing stands.
    template <typename Op>
    void both(T value, thread T& upto, thread T& before, thread T& aggregate, Op op) const {
        uint warp = rank & ~31u;
        upto = scan_lanes(storage->slots + warp, rank - warp, 32u, value, op);
        syncthreads();
        if (rank > warp) before = storage->slots[rank - 1u];
        aggregate = storage->slots[metal::min(31u, threads - 1u)];
        if (warp == 32u) {
            upto = op(aggregate, upto);
            before = rank > warp ? op(aggregate, before) : aggregate;
        }
        for (uint first = 32u; first < threads; first += 32u) {
            aggregate = op(aggregate, T(storage->slots[metal::min(first + 31u, threads - 1u)]));
            if (warp == first + 32u) {
                upto = op(aggregate, upto);
                before = rank > warp ? op(aggregate, before) : aggregate;
            }
        }
    }

    template <typename Op>
    void InclusiveScan(T value, thread T& result, Op op) const {
        T before = value, aggregate = value;
        both(value, result, before, aggregate, op);
    }
    template <typename Op>
    void InclusiveScan(T value, thread T& result, Op op, thread T& aggregate) const {
        T before = value;
        both(value, result, before, aggregate, op);
    }
    template <typename Op>
    void ExclusiveScan(T value, thread T& result, T initial, Op op, thread T& aggregate) const {
        T upto = value, before = value;
        both(value, upto, before, aggregate, op);
        result = rank == 0u ? initial : op(initial, before);
    }
    template <typename Op>
    void ExclusiveScan(T value, thread T& result, T initial, Op op) const {
        T aggregate = value;
        ExclusiveScan(value, result, initial, op, aggregate);
    }
    void InclusiveSum(T value, thread T& result) const {
        InclusiveScan(value, result, Sum());
    }
    void InclusiveSum(T value, thread T& result, thread T& aggregate) const {
        InclusiveScan(value, result, Sum(), aggregate);
    }
    void ExclusiveSum(T value, thread T& result) const {
        ExclusiveScan(value, result, T(0), Sum());
    }
    void ExclusiveSum(T value, thread T& result, thread T& aggregate) const {
        ExclusiveScan(value, result, T(0), Sum(), aggregate);
    }

    // Several items a thread, in blocked order.
    template <int Items, typename Op>
    T fold(thread T (&values)[Items], Op op) const {
        T total = values[0];
        for (int i = 1; i < Items; ++i) total = op(total, values[i]);
        return total;
    }
    template <int Items, typename Op>
    void InclusiveScan(thread T (&values)[Items], thread T (&results)[Items], Op op) const {
        T total = fold(values, op);
        T upto = total, before = total, aggregate = total;
        both(total, upto, before, aggregate, op);
        T running = rank == 0u ? values[0] : op(before, values[0]);
        results[0] = running;
        for (int i = 1; i < Items; ++i) {
            running = op(running, values[i]);
            results[i] = running;
        }
    }
    // `prefix` is called by thread 0 with the block's aggregate and returns what stands before the block.
    template <int Items, typename Op, typename Prefix>
    void InclusiveScan(thread T (&values)[Items], thread T (&results)[Items], Op op, thread Prefix& prefix) const {
        T total = fold(values, op);
        T upto = total, before = total, aggregate = total;
        both(total, upto, before, aggregate, op);
        if (rank == 0u) storage->prefix = prefix(aggregate);
        syncthreads();
        T head = storage->prefix;
        T running = op(rank == 0u ? head : op(head, before), values[0]);
        results[0] = running;
        for (int i = 1; i < Items; ++i) {
            running = op(running, values[i]);
            results[i] = running;
        }
    }
    template <int Items, typename Op>
    void ExclusiveScan(thread T (&values)[Items], thread T (&results)[Items], T initial, Op op) const {
        T total = fold(values, op);
        T upto = total, before = total, aggregate = total;
        both(total, upto, before, aggregate, op);
        T running = rank == 0u ? initial : op(initial, before);
        for (int i = 0; i < Items; ++i) {
            T value = values[i];
            results[i] = running;
            running = op(running, value);
        }
    }
    template <int Items>
    void InclusiveSum(thread T (&values)[Items], thread T (&results)[Items]) const {
        InclusiveScan(values, results, Sum());
    }
    template <int Items>
    void ExclusiveSum(thread T (&values)[Items], thread T (&results)[Items]) const {
        ExclusiveScan(values, results, T(0), Sum());
    }
};

// cub::WarpScan: over LogicalWarp consecutive lanes.
template <typename T, int LogicalWarp = 32>
struct WarpScan {
    struct TempStorage {
        T slots[LogicalWarp];
    };
    threadgroup TempStorage* storage;
    uint index;

    WarpScan(threadgroup TempStorage& temp, uint thread_rank)
        : storage(&temp), index((thread_rank & 31u) % uint(LogicalWarp)) {}

    template <typename Op>
    void InclusiveScan(T value, thread T& result, Op op) const {
        result = scan_lanes(storage->slots, index, uint(LogicalWarp), value, op);
    }
    template <typename Op>
    void ExclusiveScan(T value, thread T& result, T initial, Op op) const {
        scan_lanes(storage->slots, index, uint(LogicalWarp), value, op);
        result = index == 0u ? initial : op(initial, T(storage->slots[index - 1u]));
    }
    void InclusiveSum(T value, thread T& result) const {
        InclusiveScan(value, result, Sum());
    }
    void ExclusiveSum(T value, thread T& result) const {
        ExclusiveScan(value, result, T(0), Sum());
    }
};

}  // namespace cu
