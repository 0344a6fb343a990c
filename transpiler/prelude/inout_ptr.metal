// A pointer to memory that a kernel reads and writes, where MLX's inputs are constant and its outputs fresh: the
// value at an address is the bits in `base` XOR the bits in `delta`, which start at zero and are the output.
namespace cu {

// A value's bits as an unsigned type of its size, and back.
template <typename T>
struct bit_value {
    using type = typename bits_of_size<sizeof(T)>::type;
    static type pack(T value) {
        return as_type<type>(value);
    }
    static T unpack(type bits) {
        return as_type<T>(bits);
    }
};
template <>
struct bit_value<bool> {
    using type = uchar;
    static uchar pack(bool value) {
        return value ? 1 : 0;
    }
    static bool unpack(uchar bits) {
        return bits != 0;
    }
};

// CUDA's 3-vectors of 12 bytes.
struct three_words {
    uint x;
    uint y;
    uint z;
    three_words operator^(three_words other) const {
        return three_words{x ^ other.x, y ^ other.y, z ^ other.z};
    }
};
template <typename Packed, typename Vector>
struct bit_value_of_three {
    using type = three_words;
    static type pack(Packed value) {
        uint3 words = as_type<uint3>(Vector(value));
        return three_words{words.x, words.y, words.z};
    }
    static Packed unpack(type bits) {
        return Packed(as_type<Vector>(uint3(bits.x, bits.y, bits.z)));
    }
};
template <>
struct bit_value<packed_float3> : bit_value_of_three<packed_float3, float3> {};
template <>
struct bit_value<packed_int3> : bit_value_of_three<packed_int3, int3> {};
template <>
struct bit_value<packed_uint3> : bit_value_of_three<packed_uint3, uint3> {};

// The user's records, which as_type does not take: word by word, or byte by byte.
template <bool Whole>
struct record_word {
    using type = uchar;
};
template <>
struct record_word<true> {
    using type = uint;
};
template <typename Word, uint Count>
struct record_words {
    Word words[Count];
    record_words operator^(record_words other) const {
        for (uint i = 0u; i < Count; ++i) other.words[i] = Word(other.words[i] ^ words[i]);
        return other;
    }
};
template <typename T>
struct bit_value_of_record {
    using word = typename record_word<sizeof(T) % 4 == 0>::type;
    using type = record_words<word, sizeof(T) / sizeof(word)>;
    static type pack(T value) {
        type bits;
        for (uint i = 0u; i < sizeof(T) / sizeof(word); ++i) bits.words[i] = ((const thread word*)&value)[i];
        return bits;
    }
    static T unpack(type bits) {
        T value;
        for (uint i = 0u; i < sizeof(T) / sizeof(word); ++i) ((thread word*)&value)[i] = bits.words[i];
        return value;
    }
};

template <typename T>
struct inout_ptr;

template <typename T>
struct inout_ref;

// An operand's value: what an inout_ref reads, or itself.
template <typename V>
inline V inout_value(V value) {
    return value;
}
template <typename T>
inline T inout_value(inout_ref<T> value) {
    return value.get();
}

// What *p and p[i] are: reads as T, takes assignments.
template <typename T>
struct inout_ref {
    using bits = typename bit_value<T>::type;
    const device T* base;
    device bits* delta;

    inout_ref(const device T* base_, device bits* delta_) : base(base_), delta(delta_) {}
    inout_ref(const thread inout_ref<T>& other) : base(other.base), delta(other.delta) {}

    T get() const {
        return bit_value<T>::unpack(bits(bit_value<T>::pack(*base) ^ *delta));
    }
    operator T() const {
        return get();
    }
    T operator=(T value) const {
        *delta = bits(bit_value<T>::pack(*base) ^ bit_value<T>::pack(value));
        return value;
    }
    T operator=(const thread inout_ref<T>& other) const {
        return *this = other.get();
    }
    inout_ptr<T> operator&() const {
        return inout_ptr<T>(base, delta);
    }
    template <typename V>
    T operator+=(V value) const {
        return *this = T(get() + inout_value(value));
    }
    template <typename V>
    T operator-=(V value) const {
        return *this = T(get() - inout_value(value));
    }
    template <typename V>
    T operator*=(V value) const {
        return *this = T(get() * inout_value(value));
    }
    template <typename V>
    T operator/=(V value) const {
        return *this = T(get() / inout_value(value));
    }
    template <typename V>
    T operator%=(V value) const {
        return *this = T(get() % inout_value(value));
    }
    template <typename V>
    T operator&=(V value) const {
        return *this = T(get() & inout_value(value));
    }
    template <typename V>
    T operator|=(V value) const {
        return *this = T(get() | inout_value(value));
    }
    template <typename V>
    T operator^=(V value) const {
        return *this = T(get() ^ inout_value(value));
    }
    template <typename V>
    T operator<<=(V value) const {
        return *this = T(get() << inout_value(value));
    }
    template <typename V>
    T operator>>=(V value) const {
        return *this = T(get() >> inout_value(value));
    }
    T operator++() const {
        return *this = T(get() + T(1));
    }
    T operator--() const {
        return *this = T(get() - T(1));
    }
    T operator++(int) const {
        T old = get();
        *this = T(old + T(1));
        return old;
    }
    T operator--(int) const {
        T old = get();
        *this = T(old - T(1));
        return old;
    }
};

template <typename T>
struct inout_ptr {
    using element = T;
    using bits = typename bit_value<T>::type;
    const device T* base;
    device bits* delta;

    inout_ptr() = default;
    inout_ptr(const device T* base_, device bits* delta_) : base(base_), delta(delta_) {}
    inout_ptr(nullptr_t) : base(nullptr), delta(nullptr) {}

    // The same memory as elements of another type (CUDA: reinterpret_cast<U*>(p)).
    template <typename U>
    inout_ptr<U> as() const {
        return inout_ptr<U>((const device U*)base, (device typename bit_value<U>::type*)delta);
    }
    // As bytes, which stand for CUDA's void.
    operator inout_ptr<uchar>() const {
        return as<uchar>();
    }
    inout_ref<T> operator*() const {
        return inout_ref<T>(base, delta);
    }
    template <typename Index>
    inout_ref<T> operator[](Index i) const {
        return inout_ref<T>(base + i, delta + i);
    }
    template <typename Index>
    inout_ptr<T> operator+(Index i) const {
        return inout_ptr<T>(base + i, delta + i);
    }
    template <typename Index>
    inout_ptr<T> operator-(Index i) const {
        return inout_ptr<T>(base - i, delta - i);
    }
    long operator-(inout_ptr<T> other) const {
        return long(base - other.base);
    }
    template <typename Index>
    inout_ptr<T> operator+=(Index i) {
        base += i;
        delta += i;
        return inout_ptr<T>(base, delta);
    }
    template <typename Index>
    inout_ptr<T> operator-=(Index i) {
        base -= i;
        delta -= i;
        return inout_ptr<T>(base, delta);
    }
    inout_ptr<T> operator++() {
        return *this += 1;
    }
    inout_ptr<T> operator--() {
        return *this -= 1;
    }
    inout_ptr<T> operator++(int) {
        inout_ptr<T> old = inout_ptr<T>(base, delta);
        *this += 1;
        return old;
    }
    inout_ptr<T> operator--(int) {
        inout_ptr<T> old = inout_ptr<T>(base, delta);
        *this -= 1;
        return old;
    }
    bool operator==(inout_ptr<T> other) const {
        return base == other.base;
    }
    bool operator!=(inout_ptr<T> other) const {
        return base != other.base;
    }
    bool operator<(inout_ptr<T> other) const {
        return base < other.base;
    }
};

// T itself, in a place from which it is not deduced: the pointer decides.
template <typename T>
struct plain {
    using type = T;
};

// Atomics: loops on the word of `delta`, whose bits are the value's XOR the base's. By size of the value.
template <typename Op, typename T, uint Size>
struct inout_update;
template <typename Op, typename T>
struct inout_update<Op, T, 4> {
    static T apply(inout_ptr<T> p, T value) {
        return atomic_update<Op>((device metal::atomic_uint*)p.delta, value, as_type<uint>(*p.base));
    }
};
template <typename Op, typename T>
struct inout_update<Op, T, 2> {
    static T apply(inout_ptr<T> p, T value) {
        bool upper = (ulong(p.delta) & 2u) != 0u;
        device metal::atomic_uint* word = (device metal::atomic_uint*)(p.delta - upper);
        return atomic_update_half<Op>(word, upper, value, as_type<ushort>(*p.base));
    }
};

template <typename T>
inline T atomic_add(inout_ptr<T> p, typename plain<T>::type value) {
    return inout_update<atomic_plus, T, sizeof(T)>::apply(p, value);
}
template <typename T>
inline T atomic_min(inout_ptr<T> p, typename plain<T>::type value) {
    return inout_update<atomic_lesser, T, sizeof(T)>::apply(p, value);
}
template <typename T>
inline T atomic_max(inout_ptr<T> p, typename plain<T>::type value) {
    return inout_update<atomic_greater, T, sizeof(T)>::apply(p, value);
}
template <typename T>
inline T atomic_and(inout_ptr<T> p, typename plain<T>::type value) {
    return inout_update<atomic_conjoin, T, sizeof(T)>::apply(p, value);
}
template <typename T>
inline T atomic_or(inout_ptr<T> p, typename plain<T>::type value) {
    return inout_update<atomic_disjoin, T, sizeof(T)>::apply(p, value);
}
template <typename T>
inline T atomic_xor(inout_ptr<T> p, typename plain<T>::type value) {
    return inout_update<atomic_toggle, T, sizeof(T)>::apply(p, value);
}
template <typename T>
inline T atomic_exch(inout_ptr<T> p, typename plain<T>::type value) {
    return inout_update<atomic_replace, T, sizeof(T)>::apply(p, value);
}
template <typename T>
inline T atomic_inc(inout_ptr<T> p, typename plain<T>::type value) {
    return inout_update<atomic_wrap_up, T, sizeof(T)>::apply(p, value);
}
template <typename T>
inline T atomic_dec(inout_ptr<T> p, typename plain<T>::type value) {
    return inout_update<atomic_wrap_down, T, sizeof(T)>::apply(p, value);
}
template <typename T>
inline T atomic_sub(inout_ptr<T> p, typename plain<T>::type value) {
    return inout_update<atomic_minus, T, sizeof(T)>::apply(p, value);
}
template <typename T>
inline T atomic_cas(inout_ptr<T> p, typename plain<T>::type expected, typename plain<T>::type desired) {
    uint flip = as_type<uint>(*p.base);
    device metal::atomic_uint* word = (device metal::atomic_uint*)p.delta;
    uint old = atomic_cas_word(word, as_type<uint>(expected) ^ flip, as_type<uint>(desired) ^ flip);
    return as_type<T>(old ^ flip);
}
inline ushort atomic_cas(inout_ptr<ushort> p, ushort expected, ushort desired) {
    bool upper = (ulong(p.delta) & 2u) != 0u;
    ushort flip = *p.base;
    device metal::atomic_uint* word = (device metal::atomic_uint*)(p.delta - upper);
    return atomic_cas_half(word, upper, ushort(expected ^ flip), ushort(desired ^ flip)) ^ flip;
}

// 64-bit operations whose result nobody asks for, on the halves of the word
inline void atomic_add_wide(inout_ptr<ulong> p, ulong value) {
    inout_ptr<uint> halves = p.as<uint>();
    uint part = uint(value);
    uint old = inout_update<atomic_plus, uint, 4>::apply(halves, part);
    uint rest = uint(value >> 32) + (old + part < part ? 1u : 0u);
    if (rest != 0u) inout_update<atomic_plus, uint, 4>::apply(halves + 1, rest);
}
inline void atomic_and_wide(inout_ptr<ulong> p, ulong value) {
    inout_update<atomic_conjoin, uint, 4>::apply(p.as<uint>(), uint(value));
    inout_update<atomic_conjoin, uint, 4>::apply(p.as<uint>() + 1, uint(value >> 32));
}
inline void atomic_or_wide(inout_ptr<ulong> p, ulong value) {
    inout_update<atomic_disjoin, uint, 4>::apply(p.as<uint>(), uint(value));
    inout_update<atomic_disjoin, uint, 4>::apply(p.as<uint>() + 1, uint(value >> 32));
}
inline void atomic_xor_wide(inout_ptr<ulong> p, ulong value) {
    inout_update<atomic_toggle, uint, 4>::apply(p.as<uint>(), uint(value));
    inout_update<atomic_toggle, uint, 4>::apply(p.as<uint>() + 1, uint(value >> 32));
}

}  // namespace cu
