// cub's loads and stores of several items a thread, in blocked order: thread r owns items r * Items and on. The
// transposed forms touch memory in thread order and reorder through threadgroup memory.
namespace cu {

// cub::BlockLoadAlgorithm, cub::BlockStoreAlgorithm
constexpr constant int BLOCK_LOAD_DIRECT = 0;
constexpr constant int BLOCK_LOAD_STRIPED = 1;
constexpr constant int BLOCK_LOAD_VECTORIZE = 2;
constexpr constant int BLOCK_LOAD_TRANSPOSE = 3;
constexpr constant int BLOCK_LOAD_WARP_TRANSPOSE = 4;
constexpr constant int BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED = 5;
constexpr constant int BLOCK_STORE_DIRECT = 0;
constexpr constant int BLOCK_STORE_STRIPED = 1;
constexpr constant int BLOCK_STORE_VECTORIZE = 2;
constexpr constant int BLOCK_STORE_TRANSPOSE = 3;
constexpr constant int BLOCK_STORE_WARP_TRANSPOSE = 4;
constexpr constant int BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED = 5;

// Threadgroup memory of a load or store: none but a placeholder where nothing is reordered. Aligned as cub's, on
// which programs count that lay several of them into one array.
template <typename T, int Count, bool Transposed>
struct exchange_storage {
    alignas(16) T slots[Count];
};
template <typename T, int Count>
struct exchange_storage<T, Count, false> {
    uchar unused;
};

// The threads that reorder among themselves: the block, or the simdgroup. First item and threads of this one's.
template <int Algorithm>
inline uint2 exchange_team(uint rank, uint threads, uint items) {
    uint first = Algorithm >= BLOCK_LOAD_WARP_TRANSPOSE ? rank & ~31u : 0u;
    return uint2(first * items, Algorithm >= BLOCK_LOAD_WARP_TRANSPOSE ? metal::min(32u, threads - first) : threads);
}
template <int Algorithm>
inline void exchange_sync() {
    if (Algorithm >= BLOCK_LOAD_WARP_TRANSPOSE) {
        simdgroup_sync();
    } else {
        syncthreads();
    }
}

// Moves `Items` values a thread between memory and registers; out of range is skipped.
template <typename T, int Items, int Algorithm, int Threads, bool Transposed>
struct exchange_items {
    template <typename Pointer>
    static void load(Pointer p, thread T (&values)[Items], uint count, uint rank, threadgroup T* slots) {
        uint2 team = exchange_team<Algorithm>(rank, uint(Threads), uint(Items));
        uint mine = rank - team.x / uint(Items);
        for (uint i = 0u; i < uint(Items); ++i) {
            uint item = i * team.y + mine;
            if (team.x + item < count) slots[team.x + item] = p[team.x + item];
        }
        exchange_sync<Algorithm>();
        for (uint i = 0u; i < uint(Items); ++i) {
            if (rank * uint(Items) + i < count) values[i] = slots[rank * uint(Items) + i];
        }
    }
    template <typename Pointer>
    static void store(Pointer p, thread T (&values)[Items], uint count, uint rank, threadgroup T* slots) {
        uint2 team = exchange_team<Algorithm>(rank, uint(Threads), uint(Items));
        uint mine = rank - team.x / uint(Items);
        for (uint i = 0u; i < uint(Items); ++i) slots[rank * uint(Items) + i] = values[i];
        exchange_sync<Algorithm>();
        for (uint i = 0u; i < uint(Items); ++i) {
            uint item = i * team.y + mine;
            if (team.x + item < count) p[team.x + item] = slots[team.x + item];
        }
    }
};
template <typename T, int Items, int Algorithm, int Threads>
struct exchange_items<T, Items, Algorithm, Threads, false> {
    static uint place(uint rank, uint i) {
        return Algorithm == BLOCK_LOAD_STRIPED ? i * uint(Threads) + rank : rank * uint(Items) + i;
    }
    template <typename Pointer>
    static void load(Pointer p, thread T (&values)[Items], uint count, uint rank, threadgroup uchar*) {
        for (uint i = 0u; i < uint(Items); ++i) {
            if (place(rank, i) < count) values[i] = p[place(rank, i)];
        }
    }
    template <typename Pointer>
    static void store(Pointer p, thread T (&values)[Items], uint count, uint rank, threadgroup uchar*) {
        for (uint i = 0u; i < uint(Items); ++i) {
            if (place(rank, i) < count) p[place(rank, i)] = values[i];
        }
    }
};
template <typename T, int Count>
inline threadgroup T* exchange_slots(threadgroup exchange_storage<T, Count, true>* storage) {
    return storage->slots;
}
template <typename T, int Count>
inline threadgroup uchar* exchange_slots(threadgroup exchange_storage<T, Count, false>* storage) {
    return &storage->unused;
}

// cub::BlockLoad
template <typename T, int BlockDimX, int Items, int Algorithm = BLOCK_LOAD_DIRECT, int BlockDimY = 1,
          int BlockDimZ = 1>
struct BlockLoad {
    static constexpr constant int threads = BlockDimX * BlockDimY * BlockDimZ;
    static constexpr constant bool transposed = Algorithm >= BLOCK_LOAD_TRANSPOSE;
    using TempStorage = exchange_storage<T, threads * Items, transposed>;
    using mover = exchange_items<T, Items, Algorithm, threads, transposed>;
    threadgroup TempStorage* storage;
    uint rank;

    BlockLoad(threadgroup TempStorage& temp, uint thread_rank) : storage(&temp), rank(thread_rank) {}

    template <typename Pointer>
    void Load(Pointer p, thread T (&values)[Items]) const {
        mover::load(p, values, uint(threads * Items), rank, exchange_slots(storage));
    }
    template <typename Pointer>
    void Load(Pointer p, thread T (&values)[Items], int valid) const {
        mover::load(p, values, uint(metal::max(valid, 0)), rank, exchange_slots(storage));
    }
    template <typename Pointer, typename Default>
    void Load(Pointer p, thread T (&values)[Items], int valid, Default missing) const {
        for (int i = 0; i < Items; ++i) values[i] = T(missing);
        Load(p, values, valid);
    }
};

// cub::BlockStore
template <typename T, int BlockDimX, int Items, int Algorithm = BLOCK_STORE_DIRECT, int BlockDimY = 1,
          int BlockDimZ = 1>
struct BlockStore {
    static constexpr constant int threads = BlockDimX * BlockDimY * BlockDimZ;
    static constexpr constant bool transposed = Algorithm >= BLOCK_STORE_TRANSPOSE;
    using TempStorage = exchange_storage<T, threads * Items, transposed>;
    using mover = exchange_items<T, Items, Algorithm, threads, transposed>;
    threadgroup TempStorage* storage;
    uint rank;

    BlockStore(threadgroup TempStorage& temp, uint thread_rank) : storage(&temp), rank(thread_rank) {}

    template <typename Pointer>
    void Store(Pointer p, thread T (&values)[Items]) const {
        mover::store(p, values, uint(threads * Items), rank, exchange_slots(storage));
    }
    template <typename Pointer>
    void Store(Pointer p, thread T (&values)[Items], int valid) const {
        mover::store(p, values, uint(metal::max(valid, 0)), rank, exchange_slots(storage));
    }
};

// cub::BlockExchange: items change owners. In blocked order thread r owns items r * Items and on, in striped order
// every `threads`-th from r on, in warp-striped order every 32nd of its simdgroup's from its lane on.
template <typename T, int BlockDimX, int Items, bool TimeSliced = false, int BlockDimY = 1, int BlockDimZ = 1>
struct BlockExchange {
    static constexpr constant uint threads = uint(BlockDimX * BlockDimY * BlockDimZ);
    struct TempStorage {
        alignas(16) T slots[BlockDimX * BlockDimY * BlockDimZ * Items];
    };
    threadgroup TempStorage* storage;
    uint rank;

    BlockExchange(threadgroup TempStorage& temp, uint thread_rank) : storage(&temp), rank(thread_rank) {}

    uint blocked(int i) const {
        return rank * uint(Items) + uint(i);
    }
    uint striped(int i) const {
        return uint(i) * threads + rank;
    }
    uint warp_striped(int i) const {
        uint first = rank & ~31u;
        return first * uint(Items) + uint(i) * metal::min(32u, threads - first) + (rank - first);
    }

    void StripedToBlocked(thread T (&values)[Items], thread T (&results)[Items]) const {
        for (int i = 0; i < Items; ++i) storage->slots[striped(i)] = values[i];
        syncthreads();
        for (int i = 0; i < Items; ++i) results[i] = storage->slots[blocked(i)];
    }
    void BlockedToStriped(thread T (&values)[Items], thread T (&results)[Items]) const {
        for (int i = 0; i < Items; ++i) storage->slots[blocked(i)] = values[i];
        syncthreads();
        for (int i = 0; i < Items; ++i) results[i] = storage->slots[striped(i)];
    }
    void WarpStripedToBlocked(thread T (&values)[Items], thread T (&results)[Items]) const {
        for (int i = 0; i < Items; ++i) storage->slots[warp_striped(i)] = values[i];
        simdgroup_sync();
        for (int i = 0; i < Items; ++i) results[i] = storage->slots[blocked(i)];
    }
    void BlockedToWarpStriped(thread T (&values)[Items], thread T (&results)[Items]) const {
        for (int i = 0; i < Items; ++i) storage->slots[blocked(i)] = values[i];
        simdgroup_sync();
        for (int i = 0; i < Items; ++i) results[i] = storage->slots[warp_striped(i)];
    }
    template <typename Place>
    void ScatterToBlocked(thread T (&values)[Items], thread T (&results)[Items], thread Place (&places)[Items]) const {
        for (int i = 0; i < Items; ++i) storage->slots[places[i]] = values[i];
        syncthreads();
        for (int i = 0; i < Items; ++i) results[i] = storage->slots[blocked(i)];
    }
    template <typename Place>
    void ScatterToStriped(thread T (&values)[Items], thread T (&results)[Items], thread Place (&places)[Items]) const {
        for (int i = 0; i < Items; ++i) storage->slots[places[i]] = values[i];
        syncthreads();
        for (int i = 0; i < Items; ++i) results[i] = storage->slots[striped(i)];
    }

    // The same in place.
    void StripedToBlocked(thread T (&values)[Items]) const {
        StripedToBlocked(values, values);
    }
    void BlockedToStriped(thread T (&values)[Items]) const {
        BlockedToStriped(values, values);
    }
    void WarpStripedToBlocked(thread T (&values)[Items]) const {
        WarpStripedToBlocked(values, values);
    }
    void BlockedToWarpStriped(thread T (&values)[Items]) const {
        BlockedToWarpStriped(values, values);
    }
    template <typename Place>
    void ScatterToBlocked(thread T (&values)[Items], thread Place (&places)[Items]) const {
        ScatterToBlocked(values, values, places);
    }
    template <typename Place>
    void ScatterToStriped(thread T (&values)[Items], thread Place (&places)[Items]) const {
        ScatterToStriped(values, values, places);
    }
};

}  // namespace cu
