// CUDA's three-component vectors in memory: as tight as their elements, which Metal calls packed.
namespace cu {

// float3, int3 ... as CUDA lays them out in buffers, structs and threadgroup memory, by element type.
template <typename T>
struct packed3;
template <>
struct packed3<float> {
    using type = packed_float3;
};
template <>
struct packed3<int> {
    using type = packed_int3;
};
template <>
struct packed3<uint> {
    using type = packed_uint3;
};
template <>
struct packed3<short> {
    using type = packed_short3;
};
template <>
struct packed3<ushort> {
    using type = packed_ushort3;
};
template <>
struct packed3<char> {
    using type = packed_char3;
};
template <>
struct packed3<uchar> {
    using type = packed_uchar3;
};
template <>
struct packed3<half> {
    using type = packed_half3;
};

// longlong4 and ulonglong4 with CUDA's alignment of 16 bytes; Metal's own are aligned to 32.
using aligned_long4 __attribute__((aligned(16))) = packed_long4;
using aligned_ulong4 __attribute__((aligned(16))) = packed_ulong4;

// A three-vector out of, and into, three consecutive elements in any address space.
template <typename Pointer>
inline float3 load_float3(Pointer p) {
    return float3(p[0], p[1], p[2]);
}
template <typename Pointer>
inline int3 load_int3(Pointer p) {
    return int3(p[0], p[1], p[2]);
}
template <typename Pointer>
inline uint3 load_uint3(Pointer p) {
    return uint3(p[0], p[1], p[2]);
}
template <typename Pointer, typename Vector>
inline void store3(Pointer p, Vector value) {
    p[0] = value.x;
    p[1] = value.y;
    p[2] = value.z;
}

}  // namespace cu
