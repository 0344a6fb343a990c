// cub::BlockRadixSort for 32-bit keys: one bit a pass, each pass a stable split through threadgroup memory.
namespace cu {

// Keys as unsigned numbers of the same order, and back.
inline uint sortable(uint key) {
    return key;
}
inline uint sortable(int key) {
    return as_type<uint>(key) ^ 0x80000000u;
}
inline uint sortable(float key) {
    uint bits = as_type<uint>(key);
    return (bits & 0x80000000u) ? ~bits : bits | 0x80000000u;
}
template <typename Key>
struct sorted_key;
template <>
struct sorted_key<uint> {
    static uint of(uint bits) {
        return bits;
    }
};
template <>
struct sorted_key<int> {
    static int of(uint bits) {
        return as_type<int>(bits ^ 0x80000000u);
    }
};
template <>
struct sorted_key<float> {
    static float of(uint bits) {
        return as_type<float>((bits & 0x80000000u) ? bits ^ 0x80000000u : ~bits);
    }
};

// cub::NullType: keys without values.
struct NullType {};

template <typename Key, int BlockDimX, int Items, typename Value = NullType>
struct BlockRadixSort {
    struct TempStorage {
        uint keys[BlockDimX * Items];
        Value values[BlockDimX * Items];
        typename BlockScan<uint, BlockDimX>::TempStorage scan;
    };
    threadgroup TempStorage* storage;
    uint rank;

    BlockRadixSort(threadgroup TempStorage& temp, uint thread_rank) : storage(&temp), rank(thread_rank) {}

    // Items in blocked order before and after.
    void sort(thread Key (&keys)[Items], thread Value (&values)[Items], int begin, int end, bool descending) const {
        uint words[Items];
        for (int i = 0; i < Items; ++i) words[i] = descending ? ~sortable(keys[i]) : sortable(keys[i]);
        for (int bit = begin; bit < end; ++bit) {
            uint zeros = 0u;
            for (int i = 0; i < Items; ++i) zeros += 1u - ((words[i] >> uint(bit)) & 1u);
            uint before = 0u, all = 0u;
            BlockScan<uint, BlockDimX>(storage->scan, rank).ExclusiveSum(zeros, before, all);
            uint ones_before = rank * uint(Items) - before;
            for (int i = 0; i < Items; ++i) {
                bool one = ((words[i] >> uint(bit)) & 1u) != 0u;
                uint place = one ? all + ones_before : before;
                ones_before += one ? 1u : 0u;
                before += one ? 0u : 1u;
                storage->keys[place] = words[i];
                storage->values[place] = values[i];
            }
            syncthreads();
            for (int i = 0; i < Items; ++i) {
                words[i] = storage->keys[rank * uint(Items) + uint(i)];
                values[i] = storage->values[rank * uint(Items) + uint(i)];
            }
            syncthreads();
        }
        for (int i = 0; i < Items; ++i) keys[i] = sorted_key<Key>::of(descending ? ~words[i] : words[i]);
    }
    void Sort(thread Key (&keys)[Items], int begin = 0, int end = 32) const {
        Value none[Items];
        sort(keys, none, begin, end, false);
    }
    void SortDescending(thread Key (&keys)[Items], int begin = 0, int end = 32) const {
        Value none[Items];
        sort(keys, none, begin, end, true);
    }
    void Sort(thread Key (&keys)[Items], thread Value (&values)[Items], int begin = 0, int end = 32) const {
        sort(keys, values, begin, end, false);
    }
    void SortDescending(thread Key (&keys)[Items], thread Value (&values)[Items], int begin = 0,
                        int end = 32) const {
        sort(keys, values, begin, end, true);
    }
};

}  // namespace cu
