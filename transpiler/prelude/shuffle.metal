// Warp shuffles. `lane` is thread_index_in_simdgroup; `width` is a power of two up to 32 as in CUDA. The shfl_ forms
// compute their source lane, since Metal's up, down and xor want one distance for the whole simdgroup.
namespace cu {

// What a value travels as: Metal's shuffles take no bool, bfloat or 64-bit type.
template <typename T>
struct traveller {
    using type = T;
    static T pack(T value) {
        return value;
    }
    static T unpack(T value) {
        return value;
    }
};
template <typename T, typename Bits>
struct traveller_as {
    using type = Bits;
    static Bits pack(T value) {
        return as_type<Bits>(value);
    }
    static T unpack(Bits value) {
        return as_type<T>(value);
    }
};
template <>
struct traveller<bool> {
    using type = ushort;
    static ushort pack(bool value) {
        return value;
    }
    static bool unpack(ushort value) {
        return value != 0;
    }
};
template <>
struct traveller<bfloat> : traveller_as<bfloat, ushort> {};
template <>
struct traveller<bfloat2> : traveller_as<bfloat2, uint> {};
template <>
struct traveller<long> : traveller_as<long, uint2> {};
template <>
struct traveller<ulong> : traveller_as<ulong, uint2> {};

// The value that lane `source` holds, for every type a CUDA shuffle takes and for vectors of them.
template <typename T>
inline T lane_value(T value, uint source) {
    return traveller<T>::unpack(metal::simd_shuffle(traveller<T>::pack(value), ushort(source)));
}

// The same for one distance that the whole simdgroup agrees on; lanes that have no source keep their value.
template <typename T>
inline T lane_up(T value, uint delta) {
    return traveller<T>::unpack(metal::simd_shuffle_up(traveller<T>::pack(value), ushort(delta)));
}
template <typename T>
inline T lane_down(T value, uint delta) {
    return traveller<T>::unpack(metal::simd_shuffle_down(traveller<T>::pack(value), ushort(delta)));
}
template <typename T>
inline T lane_xor(T value, uint mask) {
    return traveller<T>::unpack(metal::simd_shuffle_xor(traveller<T>::pack(value), ushort(mask)));
}

// __shfl_sync: lane `source` of the segment of `width` lanes, modulo the width.
template <typename T>
inline T shfl_sync(T value, int source, int width, uint lane) {
    uint inside = uint(width) - 1u;
    return lane_value(value, (lane & ~inside) | (uint(source) & inside));
}

// __shfl_up_sync: `delta` lanes below, modulo 32; lanes whose source is outside their segment keep their value.
template <typename T>
inline T shfl_up_sync(T value, uint delta, int width, uint lane) {
    uint inside = uint(width) - 1u;
    delta &= 31u;
    return lane_value(value, delta <= (lane & inside) ? lane - delta : lane);
}

// __shfl_down_sync: `delta` lanes above, modulo 32; lanes whose source is outside their segment keep their value.
template <typename T>
inline T shfl_down_sync(T value, uint delta, int width, uint lane) {
    uint inside = uint(width) - 1u;
    delta &= 31u;
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
