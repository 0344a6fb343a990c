// Cooperative groups of at most a simdgroup, and of a threadgroup, with CUDA's method names. `lane` is
// thread_index_in_simdgroup; a group's lanes are a mask over the simdgroup.
namespace cu {

// cg::plus, less, greater, bit_and, bit_or, bit_xor: what cg::reduce and the scans do with two values.
template <typename T>
struct plus {
    T operator()(T a, T b) const {
        return a + b;
    }
};
template <typename T>
struct less {
    T operator()(T a, T b) const {
        return b < a ? b : a;
    }
};
template <typename T>
struct greater {
    T operator()(T a, T b) const {
        return a < b ? b : a;
    }
};
template <typename T>
struct bit_and {
    T operator()(T a, T b) const {
        return a & b;
    }
};
template <typename T>
struct bit_or {
    T operator()(T a, T b) const {
        return a | b;
    }
};
template <typename T>
struct bit_xor {
    T operator()(T a, T b) const {
        return a ^ b;
    }
};

// The barrier of a group inside a simdgroup: the whole simdgroup's, which is stronger.
inline void simdgroup_sync() {
    metal::simdgroup_barrier(metal::mem_flags::mem_device | metal::mem_flags::mem_threadgroup);
}

// cg::thread_block
struct thread_block {
    uint3 position;
    uint3 group;
    uint3 block;
    uint lane;

    void sync() const {
        syncthreads();
    }
    uint size() const {
        return block.x * block.y * block.z;
    }
    uint num_threads() const {
        return size();
    }
    uint thread_rank() const {
        return position.x + block.x * (position.y + block.y * position.z);
    }
    uint3 group_index() const {
        return group;
    }
    uint3 thread_index() const {
        return position;
    }
    uint3 group_dim() const {
        return block;
    }
    uint3 dim_threads() const {
        return block;
    }
};
inline thread_block this_thread_block(uint3 position, uint3 group, uint3 block, uint lane) {
    thread_block all;
    all.position = position;
    all.group = group;
    all.block = block;
    all.lane = lane;
    return all;
}

// cg::thread_block_tile<N>: N consecutive lanes, N a power of two up to 32.
template <uint N, typename Parent = void>
struct thread_block_tile {
    uint lane;
    uint meta_rank;
    uint meta_size;

    thread_block_tile() = default;
    // A tile that forgets what it is a part of.
    template <typename Other>
    thread_block_tile(thread_block_tile<N, Other> tile)
        : lane(tile.lane), meta_rank(tile.meta_rank), meta_size(tile.meta_size) {}

    uint mask() const {
        return N == 32u ? 0xffffffffu : ((1u << (N & 31u)) - 1u) << (lane & ~(N - 1u));
    }
    void sync() const {
        simdgroup_sync();
    }
    static uint size() {
        return N;
    }
    static uint num_threads() {
        return N;
    }
    uint thread_rank() const {
        return lane & (N - 1u);
    }
    uint meta_group_rank() const {
        return meta_rank;
    }
    uint meta_group_size() const {
        return meta_size;
    }
    template <typename T>
    T shfl(T value, int source) const {
        return shfl_sync(value, source, int(N), lane);
    }
    template <typename T>
    T shfl_up(T value, uint delta) const {
        return shfl_up_sync(value, delta, int(N), lane);
    }
    template <typename T>
    T shfl_down(T value, uint delta) const {
        return shfl_down_sync(value, delta, int(N), lane);
    }
    template <typename T>
    T shfl_xor(T value, uint lane_mask) const {
        return shfl_xor_sync(value, int(lane_mask), int(N), lane);
    }
    int any(bool predicate) const {
        return any_sync(mask(), predicate);
    }
    int all(bool predicate) const {
        return all_sync(mask(), predicate);
    }
    uint ballot(bool predicate) const {
        return ballot_sync(mask(), predicate) >> (lane & ~(N - 1u));
    }
    template <typename T>
    uint match_any(T value) const {
        return match_any_sync(mask(), value) >> (lane & ~(N - 1u));
    }
    template <typename T>
    uint match_all(T value, thread int& agree) const {
        return match_all_sync(mask(), value, &agree) >> (lane & ~(N - 1u));
    }
};

// cg::coalesced_group: any lanes of a simdgroup, ranked in lane order.
struct coalesced_group {
    uint members;
    uint lane;
    uint meta_rank;
    uint meta_size;

    uint mask() const {
        return members;
    }
    void sync() const {
        simdgroup_sync();
    }
    uint size() const {
        return metal::popcount(members);
    }
    uint num_threads() const {
        return size();
    }
    uint thread_rank() const {
        return metal::popcount(members & ((1u << lane) - 1u));
    }
    uint meta_group_rank() const {
        return meta_rank;
    }
    uint meta_group_size() const {
        return meta_size;
    }
    uint lane_of(uint rank) const {  // the lane of a member
        uint left = members;
        for (uint i = 0u; i < rank; ++i) left &= left - 1u;
        return left == 0u ? lane : metal::ctz(left);
    }
    uint ranks_of(uint lanes) const {  // a mask over lanes as a mask over ranks
        uint ranks = 0u;
        uint rank = 0u;
        for (uint left = members; left != 0u; left &= left - 1u) {
            if ((lanes >> metal::ctz(left)) & 1u) ranks |= 1u << rank;
            rank += 1u;
        }
        return ranks;
    }
    template <typename T>
    T shfl(T value, int source) const {
        return lane_value(value, lane_of(uint(source) % size()));
    }
    template <typename T>
    T shfl_up(T value, uint delta) const {
        uint rank = thread_rank();
        return lane_value(value, delta <= rank ? lane_of(rank - delta) : lane);
    }
    template <typename T>
    T shfl_down(T value, uint delta) const {
        uint rank = thread_rank();
        return lane_value(value, rank + delta < size() ? lane_of(rank + delta) : lane);
    }
    int any(bool predicate) const {
        return any_sync(members, predicate);
    }
    int all(bool predicate) const {
        return all_sync(members, predicate);
    }
    uint ballot(bool predicate) const {
        return ranks_of(ballot_sync(members, predicate));
    }
    template <typename T>
    uint match_any(T value) const {
        return ranks_of(match_any_sync(members, value));
    }
    template <typename T>
    uint match_all(T value, thread int& agree) const {
        return ranks_of(match_all_sync(members, value, &agree));
    }
};
inline coalesced_group coalesced(uint members, uint lane, uint meta_rank, uint meta_size) {
    coalesced_group made;
    made.members = members;
    made.lane = lane;
    made.meta_rank = meta_rank;
    made.meta_size = meta_size;
    return made;
}

// cg::coalesced_threads
inline coalesced_group coalesced_threads(uint lane) {
    return coalesced(activemask(), lane, 0u, 1u);
}

// cg::thread_group: a whole block, or lanes of a simdgroup.
struct thread_group {
    uint members;
    uint rank;
    uint count;
    bool is_block;
    uint lane;

    thread_group() = default;
    thread_group(thread_block all)
        : members(0u), rank(all.thread_rank()), count(all.size()), is_block(true), lane(all.lane) {}
    thread_group(coalesced_group some)
        : members(some.members), rank(some.thread_rank()), count(some.size()), is_block(false), lane(some.lane) {}
    template <uint N, typename Parent>
    thread_group(thread_block_tile<N, Parent> tile)
        : members(tile.mask()), rank(tile.thread_rank()), count(N), is_block(false), lane(tile.lane) {}

    uint mask() const {
        return members;
    }
    void sync() const {
        if (is_block) {
            syncthreads();
        } else {
            simdgroup_sync();
        }
    }
    uint size() const {
        return count;
    }
    uint num_threads() const {
        return count;
    }
    uint thread_rank() const {
        return rank;
    }
};

// cg::tiled_partition<N>(parent) and cg::tiled_partition(parent, size)
template <uint N, typename Parent>
inline thread_block_tile<N, Parent> tiled_partition(Parent parent, uint lane) {
    thread_block_tile<N, Parent> tile;
    tile.lane = lane;
    tile.meta_rank = parent.thread_rank() / N;
    tile.meta_size = (parent.size() + N - 1u) / N;
    return tile;
}
template <typename Parent>
inline coalesced_group tiled_partition(Parent parent, uint size, uint lane) {
    uint rank = parent.thread_rank();
    uint first = lane - rank % size;
    uint lanes = size >= 32u ? 0xffffffffu : ((1u << size) - 1u) << first;
    return coalesced(lanes & activemask(), lane, rank / size, (parent.size() + size - 1u) / size);
}

// The lanes of a group that may be split further.
template <typename Group>
inline uint group_mask(Group group) {
    return group.mask();
}
inline uint group_mask(thread_block) {
    return 0xffffffffu;
}

// cg::labeled_partition, cg::binary_partition: the members that hold the same label.
template <typename Group, typename T>
inline coalesced_group labeled_partition(Group parent, T label, uint lane) {
    uint all = group_mask(parent) & activemask();
    uint same = match_any_sync(all, label);
    uint first = metal::ctz(same);
    uint leaders = ballot_sync(all, lane == first);  // one for each label
    return coalesced(same, lane, metal::popcount(leaders & ((1u << first) - 1u)), metal::popcount(leaders));
}
template <typename Group>
inline coalesced_group binary_partition(Group parent, bool side, uint lane) {
    uint all = group_mask(parent) & activemask();
    uint yes = ballot_sync(all, side);
    return coalesced(side ? yes : all & ~yes, lane, side ? 1u : 0u, 2u);
}

// cg::this_thread
inline thread_block_tile<1> this_thread(uint lane) {
    thread_block_tile<1> tile;
    tile.lane = lane;
    tile.meta_rank = 0u;
    tile.meta_size = 1u;
    return tile;
}

}  // namespace cu
