// Atomics that Metal lacks, as loops of compare-and-exchange on the 32-bit word that holds the value. The loops
// compare bits, so they end on NaN. Every order is relaxed, as CUDA's atomics are.
namespace cu {

// What an atomic writes, from the old value and its operand.
struct atomic_plus {
    template <typename T>
    static T apply(T old, T value) {
        return old + value;
    }
    static half apply(half old, half value) {
        return half(old + value);
    }
    static bfloat apply(bfloat old, bfloat value) {
        return bfloat(float(old) + float(value));
    }
    static bfloat2 apply(bfloat2 old, bfloat2 value) {
        return bfloat2(apply(bfloat(old.x), bfloat(value.x)), apply(bfloat(old.y), bfloat(value.y)));
    }
};
struct atomic_minus {
    template <typename T>
    static T apply(T old, T value) {
        return old - value;
    }
};
struct atomic_lesser {
    template <typename T>
    static T apply(T old, T value) {
        return value < old ? value : old;
    }
    static float apply(float old, float value) {
        return metal::fmin(old, value);
    }
};
struct atomic_greater {
    template <typename T>
    static T apply(T old, T value) {
        return old < value ? value : old;
    }
    static float apply(float old, float value) {
        return metal::fmax(old, value);
    }
};
struct atomic_replace {
    template <typename T>
    static T apply(T, T value) {
        return value;
    }
};
struct atomic_conjoin {
    template <typename T>
    static T apply(T old, T value) {
        return old & value;
    }
};
struct atomic_disjoin {
    template <typename T>
    static T apply(T old, T value) {
        return old | value;
    }
};
struct atomic_toggle {
    template <typename T>
    static T apply(T old, T value) {
        return old ^ value;
    }
};
struct atomic_wrap_up {
    static uint apply(uint old, uint limit) {
        return old >= limit ? 0u : old + 1u;
    }
};
struct atomic_wrap_down {
    static uint apply(uint old, uint limit) {
        return old == 0u || old > limit ? limit : old - 1u;
    }
};

// Replaces the 32-bit value in `word` and returns the old one. `Word` is a pointer to atomic_uint in device or
// threadgroup memory; the value's bits are the word's XOR `flip` (0 for plain memory, see inout_ptr).
template <typename Op, typename T, typename Word>
inline T atomic_update(Word word, T value, uint flip) {
    uint old = metal::atomic_load_explicit(word, metal::memory_order_relaxed);
    uint next;
    do {
        next = as_type<uint>(Op::apply(as_type<T>(old ^ flip), value)) ^ flip;
    } while (!metal::atomic_compare_exchange_weak_explicit(
        word, &old, next, metal::memory_order_relaxed, metal::memory_order_relaxed));
    return as_type<T>(old ^ flip);
}

// The same for a 16-bit value in the upper or lower half of the word.
template <typename Op, typename T, typename Word>
inline T atomic_update_half(Word word, bool upper, T value, ushort flip) {
    uint shift = upper ? 16u : 0u;
    uint old = metal::atomic_load_explicit(word, metal::memory_order_relaxed);
    uint next;
    do {
        T changed = Op::apply(as_type<T>(ushort(ushort(old >> shift) ^ flip)), value);
        next = (old & ~(0xffffu << shift)) | (uint(ushort(as_type<ushort>(changed) ^ flip)) << shift);
    } while (!metal::atomic_compare_exchange_weak_explicit(
        word, &old, next, metal::memory_order_relaxed, metal::memory_order_relaxed));
    return as_type<T>(ushort(ushort(old >> shift) ^ flip));
}

// 64-bit operations without a result as two on the halves of the word, low half first: each half is changed
// atomically and carries are added, so the sum is right once all threads are done. `Word` as above.
template <typename Word>
inline void atomic_add_halves(Word low, Word high, ulong value) {
    uint part = uint(value);
    uint old = metal::atomic_fetch_add_explicit(low, part, metal::memory_order_relaxed);
    uint rest = uint(value >> 32) + (old + part < part ? 1u : 0u);
    if (rest != 0u) metal::atomic_fetch_add_explicit(high, rest, metal::memory_order_relaxed);
}

// Writes `desired` where the word is `expected`; returns the old word. Metal's weak form may fail for no reason.
template <typename Word>
inline uint atomic_cas_word(Word word, uint expected, uint desired) {
    uint old = expected;
    while (!metal::atomic_compare_exchange_weak_explicit(
               word, &old, desired, metal::memory_order_relaxed, metal::memory_order_relaxed) &&
           old == expected) {
    }
    return old;
}

// The same for the upper or lower half of the word.
template <typename Word>
inline ushort atomic_cas_half(Word word, bool upper, ushort expected, ushort desired) {
    uint shift = upper ? 16u : 0u;
    uint old = metal::atomic_load_explicit(word, metal::memory_order_relaxed);
    while (ushort(old >> shift) == expected) {
        uint next = (old & ~(0xffffu << shift)) | (uint(desired) << shift);
        if (metal::atomic_compare_exchange_weak_explicit(
                word, &old, next, metal::memory_order_relaxed, metal::memory_order_relaxed)) {
            return expected;
        }
    }
    return ushort(old >> shift);
}

}  // namespace cu
