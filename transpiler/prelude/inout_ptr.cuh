// A pointer to memory that a kernel reads and writes, where MLX's inputs are constant and its outputs fresh: the
// value at an address is the bits in `base` XOR the bits in `delta`, which start at zero and are the output.
namespace cu {

template <unsigned Size>
struct bits_of_size;
template <>
struct bits_of_size<1> {
    using type = unsigned char;
};
template <>
struct bits_of_size<2> {
    using type = unsigned short;
};
template <>
struct bits_of_size<4> {
    using type = unsigned int;
};
template <>
struct bits_of_size<8> {
    using type = uint2;
};
template <>
struct bits_of_size<16> {
    using type = uint4;
};

inline __device__ unsigned int flip_bits(unsigned int a, unsigned int b) {
    return a ^ b;
}
inline __device__ uint2 flip_bits(uint2 a, uint2 b) {
    return make_uint2(a.x ^ b.x, a.y ^ b.y);
}
inline __device__ uint4 flip_bits(uint4 a, uint4 b) {
    return make_uint4(a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w);
}

// A value's bytes as another type of its size.
template <typename To, typename From>
inline __device__ To same_bits(const From& from) {
    static_assert(sizeof(To) == sizeof(From), "types of one size");
    To to;
    memcpy(&to, &from, sizeof(To));
    return to;
}

template <typename T>
struct inout_ptr;

template <typename T>
struct inout_ref;

// An operand's value: what an inout_ref reads, or itself.
template <typename V>
inline __device__ V inout_value(V value) {
    return value;
}
template <typename T>
inline __device__ T inout_value(inout_ref<T> value) {
    return value.get();
}

// What *p and p[i] are: reads as T, takes assignments.
template <typename T>
struct inout_ref {
    using bits = typename bits_of_size<sizeof(T)>::type;
    const T* base;
    bits* delta;

    __device__ inout_ref(const T* base_, bits* delta_) : base(base_), delta(delta_) {}
    __device__ inout_ref(const inout_ref& other) : base(other.base), delta(other.delta) {}

    __device__ T get() const {
        return same_bits<T>(bits(flip_bits(same_bits<bits>(*base), *delta)));
    }
    __device__ operator T() const {
        return get();
    }
    __device__ T operator=(T value) const {
        *delta = bits(flip_bits(same_bits<bits>(*base), same_bits<bits>(value)));
        return value;
    }
    __device__ T operator=(const inout_ref& other) const {
        return *this = other.get();
    }
    __device__ inout_ptr<T> operator&() const {
        return inout_ptr<T>(base, delta);
    }
    template <typename V>
    __device__ T operator+=(V value) const {
        return *this = T(get() + inout_value(value));
    }
    template <typename V>
    __device__ T operator-=(V value) const {
        return *this = T(get() - inout_value(value));
    }
    template <typename V>
    __device__ T operator*=(V value) const {
        return *this = T(get() * inout_value(value));
    }
    template <typename V>
    __device__ T operator/=(V value) const {
        return *this = T(get() / inout_value(value));
    }
    template <typename V>
    __device__ T operator%=(V value) const {
        return *this = T(get() % inout_value(value));
    }
    template <typename V>
    __device__ T operator&=(V value) const {
        return *this = T(get() & inout_value(value));
    }
    template <typename V>
    __device__ T operator|=(V value) const {
        return *this = T(get() | inout_value(value));
    }
    template <typename V>
    __device__ T operator^=(V value) const {
        return *this = T(get() ^ inout_value(value));
    }
    template <typename V>
    __device__ T operator<<=(V value) const {
        return *this = T(get() << inout_value(value));
    }
    template <typename V>
    __device__ T operator>>=(V value) const {
        return *this = T(get() >> inout_value(value));
    }
    __device__ T operator++() const {
        return *this = T(get() + T(1));
    }
    __device__ T operator--() const {
        return *this = T(get() - T(1));
    }
    __device__ T operator++(int) const {
        T old = get();
        *this = T(old + T(1));
        return old;
    }
    __device__ T operator--(int) const {
        T old = get();
        *this = T(old - T(1));
        return old;
    }
};

template <typename T>
struct inout_ptr {
    using bits = typename bits_of_size<sizeof(T)>::type;
    const T* base;
    bits* delta;

    inout_ptr() = default;
    __device__ inout_ptr(const T* base_, bits* delta_) : base(base_), delta(delta_) {}

    // The same memory as elements of another type (instead of reinterpret_cast<U*>(p)).
    template <typename U>
    __device__ inout_ptr<U> as() const {
        return inout_ptr<U>((const U*)base, (typename bits_of_size<sizeof(U)>::type*)delta);
    }
    __device__ inout_ref<T> operator*() const {
        return inout_ref<T>(base, delta);
    }
    template <typename Index>
    __device__ inout_ref<T> operator[](Index i) const {
        return inout_ref<T>(base + i, delta + i);
    }
    template <typename Index>
    __device__ inout_ptr operator+(Index i) const {
        return inout_ptr(base + i, delta + i);
    }
    template <typename Index>
    __device__ inout_ptr operator-(Index i) const {
        return inout_ptr(base - i, delta - i);
    }
    __device__ long long operator-(inout_ptr other) const {
        return base - other.base;
    }
    template <typename Index>
    __device__ inout_ptr operator+=(Index i) {
        base += i;
        delta += i;
        return *this;
    }
    template <typename Index>
    __device__ inout_ptr operator-=(Index i) {
        base -= i;
        delta -= i;
        return *this;
    }
    __device__ inout_ptr operator++() {
        return *this += 1;
    }
    __device__ inout_ptr operator--() {
        return *this -= 1;
    }
    __device__ inout_ptr operator++(int) {
        inout_ptr old = *this;
        *this += 1;
        return old;
    }
    __device__ inout_ptr operator--(int) {
        inout_ptr old = *this;
        *this -= 1;
        return old;
    }
    __device__ bool operator==(inout_ptr other) const {
        return base == other.base;
    }
    __device__ bool operator!=(inout_ptr other) const {
        return base != other.base;
    }
    __device__ bool operator<(inout_ptr other) const {
        return base < other.base;
    }
};

// Makes an inout_ptr from the two buffers that MLX hands over, whatever unsigned type the second has.
template <typename T, typename Bits>
inline __device__ inout_ptr<T> inout(const T* base, Bits* delta) {
    return inout_ptr<T>(base, (typename inout_ptr<T>::bits*)delta);
}

// T itself, in a place from which it is not deduced: the pointer decides.
template <typename T>
struct plain {
    using type = T;
};

// Replaces the value by step(old, value), atomically, with a loop on the word of `delta`; returns the old value.
template <typename T, typename Step>
inline __device__ T inout_update(inout_ptr<T> p, Step step) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 2, "atomics on 4 or 2 bytes");
    unsigned shift = sizeof(T) == 2 && ((unsigned long long)p.delta & 2u) ? 16u : 0u;
    unsigned* word = (unsigned*)((unsigned long long)p.delta & ~3ull);
    typename inout_ptr<T>::bits flip = same_bits<typename inout_ptr<T>::bits>(*p.base);
    unsigned seen = *(volatile unsigned*)word;
    while (true) {
        typename inout_ptr<T>::bits part = seen >> shift;
        T old = same_bits<T>(typename inout_ptr<T>::bits(part ^ flip));
        typename inout_ptr<T>::bits next = same_bits<typename inout_ptr<T>::bits>(T(step(old))) ^ flip;
        unsigned changed = (seen & ~((sizeof(T) == 2 ? 0xffffu : 0xffffffffu) << shift)) | (unsigned(next) << shift);
        unsigned found = ::atomicCAS(word, seen, changed);
        if (found == seen) return old;
        seen = found;
    }
}

}  // namespace cu

// CUDA's names, found beside its own overloads.
template <typename T>
inline __device__ T atomicAdd(cu::inout_ptr<T> p, typename cu::plain<T>::type value) {
    return cu::inout_update(p, [=](T old) { return T(old + value); });
}
template <typename T>
inline __device__ T atomicSub(cu::inout_ptr<T> p, typename cu::plain<T>::type value) {
    return cu::inout_update(p, [=](T old) { return T(old - value); });
}
template <typename T>
inline __device__ T atomicMin(cu::inout_ptr<T> p, typename cu::plain<T>::type value) {
    return cu::inout_update(p, [=](T old) { return value < old ? value : old; });
}
template <typename T>
inline __device__ T atomicMax(cu::inout_ptr<T> p, typename cu::plain<T>::type value) {
    return cu::inout_update(p, [=](T old) { return old < value ? value : old; });
}
template <typename T>
inline __device__ T atomicAnd(cu::inout_ptr<T> p, typename cu::plain<T>::type value) {
    return cu::inout_update(p, [=](T old) { return T(old & value); });
}
template <typename T>
inline __device__ T atomicOr(cu::inout_ptr<T> p, typename cu::plain<T>::type value) {
    return cu::inout_update(p, [=](T old) { return T(old | value); });
}
template <typename T>
inline __device__ T atomicXor(cu::inout_ptr<T> p, typename cu::plain<T>::type value) {
    return cu::inout_update(p, [=](T old) { return T(old ^ value); });
}
template <typename T>
inline __device__ T atomicExch(cu::inout_ptr<T> p, typename cu::plain<T>::type value) {
    return cu::inout_update(p, [=](T) { return value; });
}
template <typename T>
inline __device__ T atomicInc(cu::inout_ptr<T> p, typename cu::plain<T>::type limit) {
    return cu::inout_update(p, [=](T old) { return old >= limit ? T(0) : T(old + 1); });
}
template <typename T>
inline __device__ T atomicDec(cu::inout_ptr<T> p, typename cu::plain<T>::type limit) {
    return cu::inout_update(p, [=](T old) { return old == 0 || old > limit ? limit : T(old - 1); });
}
// On bits, so that a NaN can be replaced.
template <typename T>
inline __device__ T atomicCAS(
    cu::inout_ptr<T> p, typename cu::plain<T>::type expected, typename cu::plain<T>::type desired) {
    using bits = typename cu::inout_ptr<T>::bits;
    bits wanted = cu::same_bits<bits>(expected);
    return cu::inout_update(p, [=](T old) { return cu::same_bits<bits>(old) == wanted ? desired : old; });
}
