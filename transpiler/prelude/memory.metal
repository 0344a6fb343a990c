// memcpy and its kin, element by element: pointers in any two address spaces whose elements have one size.
namespace cu {

// An unsigned type of a given size in bytes.
template <uint Size>
struct bits_of_size;
template <>
struct bits_of_size<1> {
    using type = uchar;
};
template <>
struct bits_of_size<2> {
    using type = ushort;
};
template <>
struct bits_of_size<4> {
    using type = uint;
};
template <>
struct bits_of_size<8> {
    using type = uint2;
};
template <>
struct bits_of_size<16> {
    using type = uint4;
};

// A value's type without the address space and reference of the expression that reads it.
template <typename T>
T plain_value(T value);

// A value as another type of its size, or as it is.
template <typename To, typename From>
struct reinterpreted {
    static To of(From value) {
        static_assert(sizeof(To) == sizeof(From), "memcpy between elements of different sizes: cast one pointer");
        return as_type<To>(value);
    }
};
template <typename T>
struct reinterpreted<T, T> {
    static T of(T value) {
        return value;
    }
};

// memcpy
template <typename To, typename From>
inline void memcpy(To to, From from, ulong bytes) {
    using Target = decltype(plain_value(*to));
    using Source = decltype(plain_value(*from));
    for (uint i = 0u; i < uint(bytes / sizeof(Source)); ++i) to[i] = reinterpreted<Target, Source>::of(from[i]);
}

// memmove: from the end where the regions might overlap that way.
template <typename To, typename From>
inline void memmove(To to, From from, ulong bytes) {
    using Target = decltype(plain_value(*to));
    using Source = decltype(plain_value(*from));
    if (ulong(to) <= ulong(from)) {
        memcpy(to, from, bytes);
    } else {
        for (uint i = uint(bytes / sizeof(Source)); i > 0u; --i) {
            to[i - 1u] = reinterpreted<Target, Source>::of(from[i - 1u]);
        }
    }
}

// memset
template <typename To>
inline void memset(To to, int value, ulong bytes) {
    using Target = decltype(plain_value(*to));
    using Bits = typename bits_of_size<sizeof(Target)>::type;
    uchar byte = uchar(value);
    uint word = uint(byte) * 0x01010101u;
    for (uint i = 0u; i < uint(bytes / sizeof(Target)); ++i) to[i] = reinterpreted<Target, Bits>::of(Bits(word));
}

// __pipeline_memcpy_async, done at once: the last `zeros` of the bytes are zeros instead of copies.
template <typename To, typename From>
inline void memcpy_async(To to, From from, ulong bytes, ulong zeros) {
    using Target = decltype(plain_value(*to));
    memcpy(to, from, bytes - zeros);
    memset(to + (bytes - zeros) / sizeof(Target), 0, zeros);
}

}  // namespace cu
