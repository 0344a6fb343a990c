// memcpy and its kin, element by element: pointers in any two address spaces.
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

// The type of what a pointer points to; an inout_ptr says so itself.
template <typename Pointer>
typename Pointer::element element_of(Pointer pointer, int);
template <typename Pointer>
decltype(plain_value(*Pointer())) element_of(Pointer pointer, long);

// A value as another type of its size, or as it is.
template <typename To, typename From>
struct reinterpreted {
    static To of(From value) {
        static_assert(sizeof(To) == sizeof(From), "elements of different sizes: cast one pointer");
        return as_type<To>(value);
    }
};
template <typename T>
struct reinterpreted<T, T> {
    static T of(T value) {
        return value;
    }
};

// How elements are copied: one for one (0), several sources to a target (1), several targets from a source (2).
template <typename Target, typename Source, int Kind>
struct copied {
    template <typename To, typename From>
    static void over(To to, From from, ulong bytes) {
        for (uint i = 0u; i < uint(bytes / sizeof(Source)); ++i) to[i] = reinterpreted<Target, Source>::of(from[i]);
    }
};
template <typename Target, typename Source>
struct copied<Target, Source, 1> {
    template <typename To, typename From>
    static void over(To to, From from, ulong bytes) {
        using Piece = typename bits_of_size<sizeof(Source)>::type;
        constexpr uint pieces = sizeof(Target) / sizeof(Source);
        static_assert(sizeof(Target) % sizeof(Source) == 0, "elements of different sizes: cast one pointer");
        uint count = uint(bytes / sizeof(Source));
        for (uint i = 0u; i < count; i += pieces) {
            Target value = to[i / pieces];  // the bytes behind the last piece stay
            thread Piece* parts = (thread Piece*)&value;
            for (uint j = 0u; j < pieces && i + j < count; ++j) {
                parts[j] = reinterpreted<Piece, Source>::of(from[i + j]);
            }
            to[i / pieces] = value;
        }
    }
};
template <typename Target, typename Source>
struct copied<Target, Source, 2> {
    template <typename To, typename From>
    static void over(To to, From from, ulong bytes) {
        using Piece = typename bits_of_size<sizeof(Target)>::type;
        constexpr uint pieces = sizeof(Source) / sizeof(Target);
        static_assert(sizeof(Source) % sizeof(Target) == 0, "elements of different sizes: cast one pointer");
        for (uint i = 0u; i < uint(bytes / sizeof(Target)); ++i) {
            Source value = from[i / pieces];
            to[i] = reinterpreted<Target, Piece>::of(((thread Piece*)&value)[i % pieces]);
        }
    }
};

// memcpy
template <typename To, typename From>
inline void memcpy(To to, From from, ulong bytes) {
    using Target = decltype(element_of(to, 0));
    using Source = decltype(element_of(from, 0));
    constexpr int kind = sizeof(Target) == sizeof(Source) ? 0 : sizeof(Target) > sizeof(Source) ? 1 : 2;
    copied<Target, Source, kind>::over(to, from, bytes);
}

// memmove: from the end where the regions might overlap that way.
template <typename To, typename From>
inline void memmove(To to, From from, ulong bytes) {
    using Target = decltype(element_of(to, 0));
    using Source = decltype(element_of(from, 0));
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
    using Target = decltype(element_of(to, 0));
    using Bits = typename bits_of_size<sizeof(Target)>::type;
    uchar byte = uchar(value);
    uint word = uint(byte) * 0x01010101u;
    for (uint i = 0u; i < uint(bytes / sizeof(Target)); ++i) to[i] = reinterpreted<Target, Bits>::of(Bits(word));
}

// __pipeline_memcpy_async, done at once: the last `zeros` of the bytes are zeros instead of copies.
template <typename To, typename From>
inline void memcpy_async(To to, From from, ulong bytes, ulong zeros) {
    using Target = decltype(element_of(to, 0));
    memcpy(to, from, bytes - zeros);
    memset(to + (bytes - zeros) / sizeof(Target), 0, zeros);
}

// A record of the user's out of a buffer of bytes, where its own constructors copy only from the thread's memory.
template <typename T>
inline T stored(const device uchar* from) {
    alignas(16) uchar bytes[sizeof(T)];
    for (uint i = 0u; i < uint(sizeof(T)); ++i) bytes[i] = from[i];
    return *(thread T*)bytes;
}

}  // namespace cu
