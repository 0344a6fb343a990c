// cub's scans over a block or a simdgroup, for any type and any associative operator.
namespace cu {

// The inclusive scan over neighbouring lanes, of which this one is number `index`.
template <typename T, typename Op>
inline T scan_lanes(T value, uint lane, uint index, Op op) {
    for (uint distance = 1u; distance < 32u; distance *= 2u) {
        bool more = index >= distance;
        T other = lane_copy(value, more ? lane - distance : lane);
        if (more) value = op(other, value);
    }
    return value;
}

// cub::BlockScanAlgorithm
constexpr constant int BLOCK_SCAN_RAKING = 0;
constexpr constant int BLOCK_SCAN_RAKING_MEMOIZE = 1;
constexpr constant int BLOCK_SCAN_WARP_SCANS = 2;

// cub::BlockScan. A prefix is called by the first simdgroup with the block's aggregate; what it returns in thread 0
// stands before the block.
template <typename T, int BlockDimX, int Algorithm = 0, int BlockDimY = 1, int BlockDimZ = 1>
struct BlockScan {
    static constexpr constant uint threads = uint(BlockDimX * BlockDimY * BlockDimZ);
    struct TempStorage {
        T slots[(BlockDimX * BlockDimY * BlockDimZ + 31) / 32];
        T prefix;
    };
    threadgroup TempStorage* storage;
    uint rank;

    BlockScan(threadgroup TempStorage& temp, uint thread_rank) : storage(&temp), rank(thread_rank) {}

    // The total of the threads before this one, which means nothing in thread 0, and of the block.
    template <int Items, typename Op>
    T before(thread T (&values)[Items], Op op, thread T& aggregate) const {
        T total = values[0];
        for (int i = 1; i < Items; ++i) total = op(total, values[i]);
        uint warp = rank >> 5u, lane = rank & 31u;
        T upto = scan_lanes(total, lane, lane, op);
        T result = lane_copy(upto, lane > 0u ? lane - 1u : lane);
        if (lane == 31u || rank == threads - 1u) storage->slots[warp] = upto;
        syncthreads();
        T all = storage->slots[0];
        for (uint next = 1u; next < (threads + 31u) / 32u; ++next) {
            if (next == warp) result = lane > 0u ? op(all, result) : all;
            T upto_next = storage->slots[next];
            all = op(all, upto_next);
        }
        aggregate = all;
        return result;
    }
    template <typename Prefix>
    T prefixed(thread Prefix& prefix, T aggregate) const {
        if (rank < 32u) {
            T head = prefix(aggregate);
            if (rank == 0u) storage->prefix = head;
        }
        syncthreads();
        return storage->prefix;
    }
    template <int Items, typename Op>
    void inclusive(thread T (&values)[Items], thread T (&results)[Items], T running, bool first, Op op) const {
        running = first ? values[0] : op(running, values[0]);
        results[0] = running;
        for (int i = 1; i < Items; ++i) {
            running = op(running, values[i]);
            results[i] = running;
        }
    }
    template <int Items, typename Op>
    void exclusive(thread T (&values)[Items], thread T (&results)[Items], T running, bool first, Op op) const {
        for (int i = 0; i < Items; ++i) {
            T value = values[i];
            results[i] = running;
            running = first && i == 0 ? value : op(running, value);
        }
    }

    // Several items a thread, in blocked order.
    template <int Items, typename Op>
    void InclusiveScan(thread T (&values)[Items], thread T (&results)[Items], Op op, thread T& aggregate) const {
        inclusive(values, results, before(values, op, aggregate), rank == 0u, op);
    }
    template <int Items, typename Op>
    void InclusiveScan(thread T (&values)[Items], thread T (&results)[Items], Op op) const {
        T aggregate = values[0];
        InclusiveScan(values, results, op, aggregate);
    }
    template <int Items, typename Op, typename Prefix>
    void InclusiveScan(thread T (&values)[Items], thread T (&results)[Items], Op op, thread Prefix& prefix) const {
        T aggregate = values[0];
        T own = before(values, op, aggregate);
        T head = prefixed(prefix, aggregate);
        inclusive(values, results, rank == 0u ? head : op(head, own), false, op);
    }
    template <int Items, typename Op>
    void ExclusiveScan(thread T (&values)[Items], thread T (&results)[Items], T initial, Op op,
                       thread T& aggregate) const {
        T own = before(values, op, aggregate);
        exclusive(values, results, rank == 0u ? initial : op(initial, own), false, op);
    }
    template <int Items, typename Op>
    void ExclusiveScan(thread T (&values)[Items], thread T (&results)[Items], T initial, Op op) const {
        T aggregate = values[0];
        ExclusiveScan(values, results, initial, op, aggregate);
    }
    template <int Items, typename Op>  // nothing stands before the first item: cub leaves its result open
    void ExclusiveScan(thread T (&values)[Items], thread T (&results)[Items], Op op, thread T& aggregate) const {
        exclusive(values, results, before(values, op, aggregate), rank == 0u, op);
    }
    template <int Items, typename Op>
    void ExclusiveScan(thread T (&values)[Items], thread T (&results)[Items], Op op) const {
        T aggregate = values[0];
        ExclusiveScan(values, results, op, aggregate);
    }
    template <int Items, typename Op, typename Prefix>
    void ExclusiveScan(thread T (&values)[Items], thread T (&results)[Items], Op op, thread Prefix& prefix) const {
        T aggregate = values[0];
        T own = before(values, op, aggregate);
        T head = prefixed(prefix, aggregate);
        exclusive(values, results, rank == 0u ? head : op(head, own), false, op);
    }
    template <int Items>
    void InclusiveSum(thread T (&values)[Items], thread T (&results)[Items]) const {
        InclusiveScan(values, results, Sum());
    }
    template <int Items, typename Last>
    void InclusiveSum(thread T (&values)[Items], thread T (&results)[Items], thread Last& last) const {
        InclusiveScan(values, results, Sum(), last);
    }
    template <int Items>
    void ExclusiveSum(thread T (&values)[Items], thread T (&results)[Items]) const {
        ExclusiveScan(values, results, T(0), Sum());
    }
    template <int Items>
    void ExclusiveSum(thread T (&values)[Items], thread T (&results)[Items], thread T& aggregate) const {
        ExclusiveScan(values, results, T(0), Sum(), aggregate);
    }
    template <int Items, typename Prefix>
    void ExclusiveSum(thread T (&values)[Items], thread T (&results)[Items], thread Prefix& prefix) const {
        ExclusiveScan(values, results, Sum(), prefix);
    }

    // One item a thread. `last` is the aggregate or the prefix.
    template <typename Op>
    void InclusiveScan(T value, thread T& result, Op op) const {
        T one[1] = {value};
        InclusiveScan(one, one, op);
        result = one[0];
    }
    template <typename Op, typename Last>
    void InclusiveScan(T value, thread T& result, Op op, thread Last& last) const {
        T one[1] = {value};
        InclusiveScan(one, one, op, last);
        result = one[0];
    }
    template <typename Op>
    void ExclusiveScan(T value, thread T& result, T initial, Op op) const {
        T one[1] = {value};
        ExclusiveScan(one, one, initial, op);
        result = one[0];
    }
    template <typename Op>
    void ExclusiveScan(T value, thread T& result, T initial, Op op, thread T& aggregate) const {
        T one[1] = {value};
        ExclusiveScan(one, one, initial, op, aggregate);
        result = one[0];
    }
    template <typename Op>
    void ExclusiveScan(T value, thread T& result, Op op) const {
        T one[1] = {value};
        ExclusiveScan(one, one, op);
        result = one[0];
    }
    template <typename Op, typename Last>
    void ExclusiveScan(T value, thread T& result, Op op, thread Last& last) const {
        T one[1] = {value};
        ExclusiveScan(one, one, op, last);
        result = one[0];
    }
    void InclusiveSum(T value, thread T& result) const {
        InclusiveScan(value, result, Sum());
    }
    template <typename Last>
    void InclusiveSum(T value, thread T& result, thread Last& last) const {
        InclusiveScan(value, result, Sum(), last);
    }
    void ExclusiveSum(T value, thread T& result) const {
        ExclusiveScan(value, result, T(0), Sum());
    }
    template <typename Last>
    void ExclusiveSum(T value, thread T& result, thread Last& last) const {
        T one[1] = {value};
        ExclusiveSum(one, one, last);
        result = one[0];
    }
};

// cub::WarpScan: over LogicalWarp consecutive lanes.
template <typename T, int LogicalWarp = 32>
struct WarpScan {
    struct TempStorage {
        uchar unused;
    };
    uint lane, index;

    WarpScan(threadgroup TempStorage&, uint thread_rank)
        : lane(thread_rank & 31u), index((thread_rank & 31u) % uint(LogicalWarp)) {}

    T Broadcast(T value, uint source) const {
        return lane_copy(value, lane - index + source);
    }
    template <typename Op>
    void Scan(T value, thread T& inclusive, thread T& exclusive, Op op) const {
        inclusive = scan_lanes(value, lane, index, op);
        exclusive = lane_copy(inclusive, index > 0u ? lane - 1u : lane);
    }
    template <typename Op>
    void Scan(T value, thread T& inclusive, thread T& exclusive, T initial, Op op) const {
        Scan(value, inclusive, exclusive, op);
        inclusive = op(initial, inclusive);
        exclusive = index > 0u ? op(initial, exclusive) : initial;
    }
    template <typename Op>
    void InclusiveScan(T value, thread T& result, Op op) const {
        result = scan_lanes(value, lane, index, op);
    }
    template <typename Op>
    void InclusiveScan(T value, thread T& result, Op op, thread T& aggregate) const {
        InclusiveScan(value, result, op);
        aggregate = Broadcast(result, uint(LogicalWarp) - 1u);
    }
    template <typename Op>
    void ExclusiveScan(T value, thread T& result, Op op) const {
        T inclusive = value;
        Scan(value, inclusive, result, op);
    }
    template <typename Op>
    void ExclusiveScan(T value, thread T& result, Op op, thread T& aggregate) const {
        T inclusive = value;
        Scan(value, inclusive, result, op);
        aggregate = Broadcast(inclusive, uint(LogicalWarp) - 1u);
    }
    template <typename Op>
    void ExclusiveScan(T value, thread T& result, T initial, Op op) const {
        T inclusive = value;
        Scan(value, inclusive, result, initial, op);
    }
    template <typename Op>
    void ExclusiveScan(T value, thread T& result, T initial, Op op, thread T& aggregate) const {
        ExclusiveScan(value, result, op, aggregate);
        result = index > 0u ? op(initial, result) : initial;
    }
    void Sum(T value, thread T& inclusive, thread T& exclusive) const {
        Scan(value, inclusive, exclusive, T(0), cu::Sum());
    }
    void InclusiveSum(T value, thread T& result) const {
        InclusiveScan(value, result, cu::Sum());
    }
    void InclusiveSum(T value, thread T& result, thread T& aggregate) const {
        InclusiveScan(value, result, cu::Sum(), aggregate);
    }
    void ExclusiveSum(T value, thread T& result) const {
        ExclusiveScan(value, result, T(0), cu::Sum());
    }
    void ExclusiveSum(T value, thread T& result, thread T& aggregate) const {
        ExclusiveScan(value, result, T(0), cu::Sum(), aggregate);
    }
};

}  // namespace cu
