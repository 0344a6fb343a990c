// CUDA's atomics on threadgroup memory. Each is a template without a deduced parameter, so that compilers which
// do not know address spaces (the CPU machine) prefer the equally typed device overload instead of complaining.
namespace cu {


// atomicAdd
template <typename Unused = void>
inline int atomic_add(threadgroup int* p, int value) {
    return metal::atomic_fetch_add_explicit((threadgroup metal::atomic_int*)p, value, metal::memory_order_relaxed);
}
template <typename Unused = void>
inline uint atomic_add(threadgroup uint* p, uint value) {
    return metal::atomic_fetch_add_explicit((threadgroup metal::atomic_uint*)p, value, metal::memory_order_relaxed);
}
template <typename Unused = void>
inline float atomic_add(threadgroup float* p, float value) {
    return atomic_update<atomic_plus>((threadgroup metal::atomic_uint*)p, value, 0u);
}
template <typename Unused = void>
inline half atomic_add(threadgroup half* p, half value) {
    bool upper = (ulong(p) & 2u) != 0u;
    return atomic_update_half<atomic_plus>((threadgroup metal::atomic_uint*)(p - upper), upper, value, ushort(0));
}
template <typename Unused = void>
inline bfloat atomic_add(threadgroup bfloat* p, bfloat value) {
    bool upper = (ulong(p) & 2u) != 0u;
    return atomic_update_half<atomic_plus>((threadgroup metal::atomic_uint*)(p - upper), upper, value, ushort(0));
}
template <typename Unused = void>
inline half2 atomic_add(threadgroup half2* p, half2 value) {
    return atomic_update<atomic_plus>((threadgroup metal::atomic_uint*)p, value, 0u);
}
template <typename Unused = void>
inline bfloat2 atomic_add(threadgroup bfloat2* p, bfloat2 value) {
    return atomic_update<atomic_plus>((threadgroup metal::atomic_uint*)p, value, 0u);
}

// atomicSub
template <typename Unused = void>
inline int atomic_sub(threadgroup int* p, int value) {
    return metal::atomic_fetch_sub_explicit((threadgroup metal::atomic_int*)p, value, metal::memory_order_relaxed);
}
template <typename Unused = void>
inline uint atomic_sub(threadgroup uint* p, uint value) {
    return metal::atomic_fetch_sub_explicit((threadgroup metal::atomic_uint*)p, value, metal::memory_order_relaxed);
}
template <typename Unused = void>
inline float atomic_sub(threadgroup float* p, float value) {
    return atomic_add(p, -value);
}

// atomicMin; a NaN operand or memory loses, as fmin and fmax have it
template <typename Unused = void>
inline int atomic_min(threadgroup int* p, int value) {
    return metal::atomic_fetch_min_explicit((threadgroup metal::atomic_int*)p, value, metal::memory_order_relaxed);
}
template <typename Unused = void>
inline uint atomic_min(threadgroup uint* p, uint value) {
    return metal::atomic_fetch_min_explicit((threadgroup metal::atomic_uint*)p, value, metal::memory_order_relaxed);
}
template <typename Unused = void>
inline float atomic_min(threadgroup float* p, float value) {
    return atomic_update<atomic_lesser>((threadgroup metal::atomic_uint*)p, value, 0u);
}

// atomicMax
template <typename Unused = void>
inline int atomic_max(threadgroup int* p, int value) {
    return metal::atomic_fetch_max_explicit((threadgroup metal::atomic_int*)p, value, metal::memory_order_relaxed);
}
template <typename Unused = void>
inline uint atomic_max(threadgroup uint* p, uint value) {
    return metal::atomic_fetch_max_explicit((threadgroup metal::atomic_uint*)p, value, metal::memory_order_relaxed);
}
template <typename Unused = void>
inline float atomic_max(threadgroup float* p, float value) {
    return atomic_update<atomic_greater>((threadgroup metal::atomic_uint*)p, value, 0u);
}

// atomicAnd
template <typename Unused = void>
inline int atomic_and(threadgroup int* p, int value) {
    return metal::atomic_fetch_and_explicit((threadgroup metal::atomic_int*)p, value, metal::memory_order_relaxed);
}
template <typename Unused = void>
inline uint atomic_and(threadgroup uint* p, uint value) {
    return metal::atomic_fetch_and_explicit((threadgroup metal::atomic_uint*)p, value, metal::memory_order_relaxed);
}

// atomicOr
template <typename Unused = void>
inline int atomic_or(threadgroup int* p, int value) {
    return metal::atomic_fetch_or_explicit((threadgroup metal::atomic_int*)p, value, metal::memory_order_relaxed);
}
template <typename Unused = void>
inline uint atomic_or(threadgroup uint* p, uint value) {
    return metal::atomic_fetch_or_explicit((threadgroup metal::atomic_uint*)p, value, metal::memory_order_relaxed);
}

// atomicXor
template <typename Unused = void>
inline int atomic_xor(threadgroup int* p, int value) {
    return metal::atomic_fetch_xor_explicit((threadgroup metal::atomic_int*)p, value, metal::memory_order_relaxed);
}
template <typename Unused = void>
inline uint atomic_xor(threadgroup uint* p, uint value) {
    return metal::atomic_fetch_xor_explicit((threadgroup metal::atomic_uint*)p, value, metal::memory_order_relaxed);
}

// atomicExch
template <typename Unused = void>
inline int atomic_exch(threadgroup int* p, int value) {
    return metal::atomic_exchange_explicit((threadgroup metal::atomic_int*)p, value, metal::memory_order_relaxed);
}
template <typename Unused = void>
inline uint atomic_exch(threadgroup uint* p, uint value) {
    return metal::atomic_exchange_explicit((threadgroup metal::atomic_uint*)p, value, metal::memory_order_relaxed);
}
template <typename Unused = void>
inline float atomic_exch(threadgroup float* p, float value) {
    return as_type<float>(metal::atomic_exchange_explicit(
        (threadgroup metal::atomic_uint*)p, as_type<uint>(value), metal::memory_order_relaxed));
}

// atomicCAS: on bits, so a float NaN can be replaced
template <typename Unused = void>
inline uint atomic_cas(threadgroup uint* p, uint expected, uint desired) {
    return atomic_cas_word((threadgroup metal::atomic_uint*)p, expected, desired);
}
template <typename Unused = void>
inline int atomic_cas(threadgroup int* p, int expected, int desired) {
    return as_type<int>(
        atomic_cas_word((threadgroup metal::atomic_uint*)p, as_type<uint>(expected), as_type<uint>(desired)));
}
template <typename Unused = void>
inline float atomic_cas(threadgroup float* p, float expected, float desired) {
    return as_type<float>(
        atomic_cas_word((threadgroup metal::atomic_uint*)p, as_type<uint>(expected), as_type<uint>(desired)));
}
template <typename Unused = void>
inline ushort atomic_cas(threadgroup ushort* p, ushort expected, ushort desired) {
    bool upper = (ulong(p) & 2u) != 0u;
    return atomic_cas_half((threadgroup metal::atomic_uint*)(p - upper), upper, expected, desired);
}

// atomicInc: old >= limit ? 0 : old + 1; atomicDec: old == 0 or old > limit ? limit : old - 1
template <typename Unused = void>
inline uint atomic_inc(threadgroup uint* p, uint value) {
    return atomic_update<atomic_wrap_up>((threadgroup metal::atomic_uint*)p, value, 0u);
}
template <typename Unused = void>
inline uint atomic_dec(threadgroup uint* p, uint value) {
    return atomic_update<atomic_wrap_down>((threadgroup metal::atomic_uint*)p, value, 0u);
}

// 64-bit operations whose result nobody asks for, on the halves of the word
inline void atomic_add_wide(threadgroup ulong* p, ulong value) {
    threadgroup metal::atomic_uint* halves = (threadgroup metal::atomic_uint*)p;
    atomic_add_halves(halves, halves + 1, value);
}
inline void atomic_and_wide(threadgroup ulong* p, ulong value) {
    threadgroup metal::atomic_uint* halves = (threadgroup metal::atomic_uint*)p;
    metal::atomic_fetch_and_explicit(halves, uint(value), metal::memory_order_relaxed);
    metal::atomic_fetch_and_explicit(halves + 1, uint(value >> 32), metal::memory_order_relaxed);
}
inline void atomic_or_wide(threadgroup ulong* p, ulong value) {
    threadgroup metal::atomic_uint* halves = (threadgroup metal::atomic_uint*)p;
    metal::atomic_fetch_or_explicit(halves, uint(value), metal::memory_order_relaxed);
    metal::atomic_fetch_or_explicit(halves + 1, uint(value >> 32), metal::memory_order_relaxed);
}
inline void atomic_xor_wide(threadgroup ulong* p, ulong value) {
    threadgroup metal::atomic_uint* halves = (threadgroup metal::atomic_uint*)p;
    metal::atomic_fetch_xor_explicit(halves, uint(value), metal::memory_order_relaxed);
    metal::atomic_fetch_xor_explicit(halves + 1, uint(value >> 32), metal::memory_order_relaxed);
}

}  // namespace cu
