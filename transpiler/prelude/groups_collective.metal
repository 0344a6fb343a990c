// Reductions, scans and copies of cooperative groups, and the grid's numbers.
namespace cu {

// cg::reduce: every member gets the result.
template <uint N, typename Parent, typename T, typename Op>
inline T cg_reduce(thread_block_tile<N, Parent> tile, T value, Op op) {
    for (uint distance = N / 2u; distance > 0u; distance /= 2u) value = op(value, tile.shfl_xor(value, distance));
    return value;
}
template <typename T, typename Op>
inline T cg_reduce(coalesced_group group, T value, Op op) {
    return reduce_masked(group.members, value, op);
}

// cg::invoke_one, cg::invoke_one_broadcast: the first member calls; all get what it returns.
template <typename Group, typename Call, typename... Given>
inline void invoke_one(Group group, Call call, Given... given) {
    if (group.thread_rank() == 0u) call(given...);
}
template <typename Group, typename Call, typename... Given>
inline auto invoke_one_broadcast(Group group, Call call, Given... given) -> decltype(call(given...)) {
    decltype(call(given...)) returned = {};
    if (group.thread_rank() == 0u) returned = call(given...);
    return group.shfl(returned, 0);
}

// cg::inclusive_scan
template <typename Group, typename T, typename Op>
inline T cg_inclusive_scan(Group group, T value, Op op) {
    uint rank = group.thread_rank();
    for (uint distance = 1u; distance < 32u; distance *= 2u) {
        T before = group.shfl_up(value, distance);
        if (rank >= distance) value = op(before, value);
    }
    return value;
}
template <typename Group, typename T>
inline T cg_inclusive_scan(Group group, T value) {
    return cg_inclusive_scan(group, value, plus<T>());
}

// cg::exclusive_scan: rank 0 gets T(), as nothing stands before it.
template <typename Group, typename T, typename Op>
inline T cg_exclusive_scan(Group group, T value, Op op) {
    T before = group.shfl_up(cg_inclusive_scan(group, value, op), 1u);
    return group.thread_rank() == 0u ? T() : before;
}
template <typename Group, typename T>
inline T cg_exclusive_scan(Group group, T value) {
    return cg_exclusive_scan(group, value, plus<T>());
}

// cg::memcpy_async: the members copy together; the group's wait is a barrier.
template <typename Group, typename To, typename From>
inline void cg_memcpy_async(Group group, To to, From from, ulong bytes) {
    using Source = decltype(plain_value(*from));
    for (uint i = group.thread_rank(); i < uint(bytes / sizeof(Source)); i += group.size()) to[i] = from[i];
}

// cg::grid_group: a name for the whole grid; it cannot synchronise.
struct grid_group {};
inline ulong grid_size(uint3 block, uint3 grid) {
    return ulong(block.x * block.y * block.z) * grid_num_blocks(grid);
}
inline ulong grid_num_blocks(uint3 grid) {
    return ulong(grid.x) * grid.y * grid.z;
}
inline ulong grid_block_rank(uint3 group, uint3 grid) {
    return group.x + ulong(grid.x) * (group.y + ulong(grid.y) * group.z);
}
inline ulong grid_thread_rank(uint3 position, uint3 group, uint3 block, uint3 grid) {
    ulong inside = position.x + block.x * (position.y + block.y * position.z);
    return grid_block_rank(group, grid) * (block.x * block.y * block.z) + inside;
}

}  // namespace cu
