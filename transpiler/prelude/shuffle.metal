// Warp shuffles. `lane` is thread_index_in_simdgroup; `width` is a power of two up to 32 as in CUDA.
// Every form computes its source lane, since Metal's up/down/xor want one distance for the whole simdgroup.
namespace cu {

// The value that lane `source` holds, for every type a CUDA shuffle takes and for vectors of them.
template <typename T>
inline T lane_value(T value, uint source) {
    return metal::simd_shuffle(value, ushort(source));
}
inline bool lane_value(bool value, uint source) {
    return metal::simd_shuffle(ushort(value), ushort(source)) != 0;
}
inline bfloat lane_value(bfloat value, uint source) {
    return as_type<bfloat>(metal::simd_shuffle(as_type<ushort>(value), ushort(source)));
}
inline bfloat2 lane_value(bfloat2 value, uint source) {
    return as_type<bfloat2>(metal::simd_shuffle(as_type<uint>(value), ushort(source)));
}
inline long lane_value(long value, uint source) {
    return as_type<long>(metal::simd_shuffle(as_type<uint2>(value), ushort(source)));
}
inline ulong lane_value(ulong value, uint source) {
    return as_type<ulong>(metal::simd_shuffle(as_type<uint2>(value), ushort(source)));
}

// __shfl_sync: lane `source` of the segment of `width` lanes, modulo the width.
template <typename T>
inline T shfl_sync(T value, int source, int width, uint lane) {
    uint inside = uint(width) - 1u;
    return lane_value(value, (lane & ~inside) | (uint(source) & inside));
}

// __shfl_up_sync: `delta` lanes below; lanes whose source is outside their segment keep their value.
template <typename T>
inline T shfl_up_sync(T value, uint delta, int width, uint lane) {
    uint inside = uint(width) - 1u;
    return lane_value(value, delta <= (lane & inside) ? lane - delta : lane);
}

// __shfl_down_sync: `delta` lanes above; lanes whose source is outside their segment keep their value.
template <typename T>
inline T shfl_down_sync(T value, uint delta, int width, uint lane) {
    uint inside = uint(width) - 1u;
    return lane_value(value, delta <= inside - (lane & inside) ? lane + delta : lane);
}

// __shfl_xor_sync: lane ^ lane_mask; a source in a later segment is refused, one in an earlier is read.
template <typename T>
inline T shfl_xor_sync(T value, int lane_mask, int width, uint lane) {
    uint inside = uint(width) - 1u;
    uint source = lane ^ (uint(lane_mask) & 31u);
    return lane_value(value, source <= (lane | inside) ? source : lane);
}

}  // namespace cu
