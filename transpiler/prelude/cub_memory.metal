// cub's loads and stores of several items a thread, in blocked order: thread r owns items r * Items and on. The
// transposed forms touch memory in thread order and reorder through threadgroup memory.
namespace cu {

// cub::BlockLoadAlgorithm, cub::BlockStoreAlgorithm
constexpr constant int BLOCK_LOAD_DIRECT = 0;
constexpr constant int BLOCK_LOAD_STRIPED = 1;
constexpr constant int BLOCK_LOAD_VECTORIZE = 2;
constexpr constant int BLOCK_LOAD_TRANSPOSE = 3;
constexpr constant int BLOCK_LOAD_WARP_TRANSPOSE = 4;
constexpr constant int BLOCK_STORE_DIRECT = 0;
constexpr constant int BLOCK_STORE_STRIPED = 1;
constexpr constant int BLOCK_STORE_VECTORIZE = 2;
constexpr constant int BLOCK_STORE_TRANSPOSE = 3;
constexpr constant int BLOCK_STORE_WARP_TRANSPOSE = 4;

// Threadgroup memory of a load or store: none but a placeholder where nothing is reordered.
template <typename T, int Count, bool Transposed>
struct exchange_storage {
    T slots[Count];
};
template <typename T, int Count>
struct exchange_storage<T, Count, false> {
    uchar unused;
};

// The threads that reorder among themselves: the block, or the simdgroup. First item and threads of this one's.
template <int Algorithm>
inline uint2 exchange_team(uint rank, uint threads, uint items) {
    uint first = Algorithm == BLOCK_LOAD_WARP_TRANSPOSE ? rank & ~31u : 0u;
    return uint2(first * items, Algorithm == BLOCK_LOAD_WARP_TRANSPOSE ? metal::min(32u, threads - first) : threads);
}
template <int Algorithm>
inline void exchange_sync() {
    if (Algorithm == BLOCK_LOAD_WARP_TRANSPOSE) {
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

}  // namespace cu
