// What inline PTX has and C++ has not.
namespace cu {

// shl.b32, shl.b64 (PTX): zero for shifts of the word's width and more.
inline uint shl(uint x, uint bits) {
    return bits < 32u ? x << bits : 0u;
}
inline ulong shl(ulong x, uint bits) {
    return bits < 64u ? x << bits : 0ul;
}

// shr (PTX): fills with zeros, or with the sign, for shifts of the word's width and more.
inline uint shr(uint x, uint bits) {
    return bits < 32u ? x >> bits : 0u;
}
inline int shr(int x, uint bits) {
    return x >> metal::min(bits, 31u);
}
inline ulong shr(ulong x, uint bits) {
    return bits < 64u ? x >> bits : 0ul;
}
inline long shr(long x, uint bits) {
    return x >> metal::min(bits, 63u);
}

// bfind (PTX): position of the highest bit that is not the sign; all ones if there is none.
inline uint bfind(uint x) {
    return x == 0u ? 0xffffffffu : 31u - metal::clz(x);
}
inline uint bfind(int x) {
    return bfind(as_type<uint>(x < 0 ? ~x : x));
}

// shfl.sync (PTX): `bounds` holds the segment's mask (bits 8 to 12) and the highest lane in it (bits 0 to 4). A
// lane whose source is outside keeps its own value.
inline uint shfl_highest(uint lane, uint bounds) {
    uint segment = (bounds >> 8u) & 31u;
    return (lane & segment) | (bounds & 31u & ~segment);
}
inline uint shfl_idx(uint value, uint source, uint bounds, uint lane) {
    uint segment = (bounds >> 8u) & 31u;
    uint wanted = (lane & segment) | (source & 31u & ~segment);
    return simd_shuffle(value, ushort(wanted <= shfl_highest(lane, bounds) ? wanted : lane));
}
inline uint shfl_up(uint value, uint delta, uint bounds, uint lane) {
    int wanted = int(lane) - int(delta & 31u);
    bool inside = wanted >= int(shfl_highest(lane, bounds));
    return simd_shuffle(value, ushort(inside ? uint(wanted) : lane));
}
inline uint shfl_down(uint value, uint delta, uint bounds, uint lane) {
    uint wanted = lane + (delta & 31u);
    return simd_shuffle(value, ushort(wanted <= shfl_highest(lane, bounds) ? wanted : lane));
}
inline uint shfl_bfly(uint value, uint mask, uint bounds, uint lane) {
    uint wanted = lane ^ (mask & 31u);
    return simd_shuffle(value, ushort(wanted <= shfl_highest(lane, bounds) ? wanted : lane));
}

// cp.async (PTX), done at once: of `bytes`, those behind the first `kept` become zeros.
template <typename From>
inline void copy_async(threadgroup uint* to, From from, uint bytes, uint kept) {
    for (uint i = 0u; 4u * i < bytes; ++i) {
        uint left = kept > 4u * i ? kept - 4u * i : 0u;
        uint word = left > 0u ? uint(from[i]) : 0u;
        to[i] = left < 4u ? word & ((1u << (8u * left)) - 1u) : word;
    }
}

}  // namespace cu
