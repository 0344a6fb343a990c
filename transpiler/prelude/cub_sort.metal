// cub::BlockRadixSort: one bit a pass, each pass a stable split through threadgroup memory.
namespace cu {

// Keys as unsigned numbers of the same order; -0 counts as +0, as in cub.
inline uint sortable(uint key) {
    return key;
}
inline uint sortable(int key) {
    return as_type<uint>(key) ^ 0x80000000u;
}
inline uint sortable(float key) {
    uint bits = as_type<uint>(key);
    if (bits == 0x80000000u) bits = 0u;
    return (bits & 0x80000000u) ? ~bits : bits | 0x80000000u;
}
inline uint sortable(uchar key) {
    return key;
}
inline uint sortable(char key) {
    return uint(as_type<uchar>(key)) ^ 0x80u;
}
inline uint sortable(ushort key) {
    return key;
}
inline uint sortable(short key) {
    return uint(as_type<ushort>(key)) ^ 0x8000u;
}
inline uint sortable(half key) {
    uint bits = as_type<ushort>(key);
    if (bits == 0x8000u) bits = 0u;
    return (bits & 0x8000u) ? ~bits & 0xffffu : bits | 0x8000u;
}
inline uint sortable(bfloat key) {
    return sortable(float(key)) >> 16u;
}
inline ulong sortable(ulong key) {
    return key;
}
inline ulong sortable(long key) {
    return as_type<ulong>(key) ^ 0x8000000000000000ul;
}

// cub::NullType: keys without values.
struct NullType {};

template <typename Key, int BlockDimX, int Items, typename Value = NullType, int RadixBits = 4, bool Memoize = true,
          int Scan = 2, int Banks = 0, int BlockDimY = 1, int BlockDimZ = 1>
struct BlockRadixSort {
    using Scanner = BlockScan<uint, BlockDimX, 2, BlockDimY, BlockDimZ>;
    static constexpr constant uint threads = uint(BlockDimX * BlockDimY * BlockDimZ);
    static constexpr constant int bits = int(sizeof(Key)) * 8;
    struct TempStorage {
        Key keys[BlockDimX * BlockDimY * BlockDimZ * Items];
        Value values[BlockDimX * BlockDimY * BlockDimZ * Items];
        typename Scanner::TempStorage scan;
    };
    threadgroup TempStorage* storage;
    uint rank;

    BlockRadixSort(threadgroup TempStorage& temp, uint thread_rank) : storage(&temp), rank(thread_rank) {}

    static bool is_later(Key key, int bit, bool descending) {
        return (((sortable(key) >> bit) & 1u) != 0u) != descending;
    }
    // Items in blocked order before; after it too, or striped: item i of thread r is number i * threads + r.
    void sort(thread Key (&keys)[Items], thread Value (&values)[Items], int begin, int end, bool descending,
              bool striped) const {
        for (int bit = begin; bit < end; ++bit) {
            uint early = 0u;
            for (int i = 0; i < Items; ++i) early += is_later(keys[i], bit, descending) ? 0u : 1u;
            uint before = 0u, all = 0u;
            Scanner(storage->scan, rank).ExclusiveSum(early, before, all);
            uint later_before = rank * uint(Items) - before;
            for (int i = 0; i < Items; ++i) {
                bool later = is_later(keys[i], bit, descending);
                uint place = later ? all + later_before : before;
                later_before += later ? 1u : 0u;
                before += later ? 0u : 1u;
                storage->keys[place] = keys[i];
                storage->values[place] = values[i];
            }
            syncthreads();
            bool last = bit == end - 1;
            for (int i = 0; i < Items; ++i) {
                uint place = last && striped ? uint(i) * threads + rank : rank * uint(Items) + uint(i);
                keys[i] = storage->keys[place];
                values[i] = storage->values[place];
            }
            syncthreads();
        }
    }
    void Sort(thread Key (&keys)[Items], int begin = 0, int end = bits) const {
        Value none[Items];
        sort(keys, none, begin, end, false, false);
    }
    void Sort(thread Key (&keys)[Items], thread Value (&values)[Items], int begin = 0, int end = bits) const {
        sort(keys, values, begin, end, false, false);
    }
    void SortDescending(thread Key (&keys)[Items], int begin = 0, int end = bits) const {
        Value none[Items];
        sort(keys, none, begin, end, true, false);
    }
    void SortDescending(thread Key (&keys)[Items], thread Value (&values)[Items], int begin = 0, int end = bits) const {
        sort(keys, values, begin, end, true, false);
    }
    void SortBlockedToStriped(thread Key (&keys)[Items], int begin = 0, int end = bits) const {
        Value none[Items];
        sort(keys, none, begin, end, false, true);
    }
    void SortBlockedToStriped(thread Key (&keys)[Items], thread Value (&values)[Items], int begin = 0,
                              int end = bits) const {
        sort(keys, values, begin, end, false, true);
    }
    void SortDescendingBlockedToStriped(thread Key (&keys)[Items], int begin = 0, int end = bits) const {
        Value none[Items];
        sort(keys, none, begin, end, true, true);
    }
    void SortDescendingBlockedToStriped(thread Key (&keys)[Items], thread Value (&values)[Items], int begin = 0,
                                        int end = bits) const {
        sort(keys, values, begin, end, true, true);
    }
};

}  // namespace cu
