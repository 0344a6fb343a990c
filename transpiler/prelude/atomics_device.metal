// CUDA's atomics on device memory: Metal's own where they exist (int, uint, float add), else loops.
namespace cu {


// atomicAdd
inline int atomic_add(device int* p, int value) {
    return metal::atomic_fetch_add_explicit((device metal::atomic_int*)p, value, metal::memory_order_relaxed);
}
inline uint atomic_add(device uint* p, uint value) {
    return metal::atomic_fetch_add_explicit((device metal::atomic_uint*)p, value, metal::memory_order_relaxed);
}
inline float atomic_add(device float* p, float value) {
    return metal::atomic_fetch_add_explicit((device metal::atomic_float*)p, value, metal::memory_order_relaxed);
}
inline half atomic_add(device half* p, half value) {
    bool upper = (ulong(p) & 2u) != 0u;
    return atomic_update_half<atomic_plus>((device metal::atomic_uint*)(p - upper), upper, value, ushort(0));
}
inline bfloat atomic_add(device bfloat* p, bfloat value) {
    bool upper = (ulong(p) & 2u) != 0u;
    return atomic_update_half<atomic_plus>((device metal::atomic_uint*)(p - upper), upper, value, ushort(0));
}
inline half2 atomic_add(device half2* p, half2 value) {
    return atomic_update<atomic_plus>((device metal::atomic_uint*)p, value, 0u);
}
inline bfloat2 atomic_add(device bfloat2* p, bfloat2 value) {
    return atomic_update<atomic_plus>((device metal::atomic_uint*)p, value, 0u);
}

// atomicSub
inline int atomic_sub(device int* p, int value) {
    return metal::atomic_fetch_sub_explicit((device metal::atomic_int*)p, value, metal::memory_order_relaxed);
}
inline uint atomic_sub(device uint* p, uint value) {
    return metal::atomic_fetch_sub_explicit((device metal::atomic_uint*)p, value, metal::memory_order_relaxed);
}
inline float atomic_sub(device float* p, float value) {
    return atomic_add(p, -value);
}

// atomicMin; a NaN operand or memory loses, as fmin and fmax have it
inline int atomic_min(device int* p, int value) {
    return metal::atomic_fetch_min_explicit((device metal::atomic_int*)p, value, metal::memory_order_relaxed);
}
inline uint atomic_min(device uint* p, uint value) {
    return metal::atomic_fetch_min_explicit((device metal::atomic_uint*)p, value, metal::memory_order_relaxed);
}
inline float atomic_min(device float* p, float value) {
    return atomic_update<atomic_lesser>((device metal::atomic_uint*)p, value, 0u);
}

// atomicMax
inline int atomic_max(device int* p, int value) {
    return metal::atomic_fetch_max_explicit((device metal::atomic_int*)p, value, metal::memory_order_relaxed);
}
inline uint atomic_max(device uint* p, uint value) {
    return metal::atomic_fetch_max_explicit((device metal::atomic_uint*)p, value, metal::memory_order_relaxed);
}
inline float atomic_max(device float* p, float value) {
    return atomic_update<atomic_greater>((device metal::atomic_uint*)p, value, 0u);
}

// atomicAnd
inline int atomic_and(device int* p, int value) {
    return metal::atomic_fetch_and_explicit((device metal::atomic_int*)p, value, metal::memory_order_relaxed);
}
inline uint atomic_and(device uint* p, uint value) {
    return metal::atomic_fetch_and_explicit((device metal::atomic_uint*)p, value, metal::memory_order_relaxed);
}

// atomicOr
inline int atomic_or(device int* p, int value) {
    return metal::atomic_fetch_or_explicit((device metal::atomic_int*)p, value, metal::memory_order_relaxed);
}
inline uint atomic_or(device uint* p, uint value) {
    return metal::atomic_fetch_or_explicit((device metal::atomic_uint*)p, value, metal::memory_order_relaxed);
}

// atomicXor
inline int atomic_xor(device int* p, int value) {
    return metal::atomic_fetch_xor_explicit((device metal::atomic_int*)p, value, metal::memory_order_relaxed);
}
inline uint atomic_xor(device uint* p, uint value) {
    return metal::atomic_fetch_xor_explicit((device metal::atomic_uint*)p, value, metal::memory_order_relaxed);
}

// atomicExch
inline int atomic_exch(device int* p, int value) {
    return metal::atomic_exchange_explicit((device metal::atomic_int*)p, value, metal::memory_order_relaxed);
}
inline uint atomic_exch(device uint* p, uint value) {
    return metal::atomic_exchange_explicit((device metal::atomic_uint*)p, value, metal::memory_order_relaxed);
}
inline float atomic_exch(device float* p, float value) {
    return as_type<float>(metal::atomic_exchange_explicit(
        (device metal::atomic_uint*)p, as_type<uint>(value), metal::memory_order_relaxed));
}

// atomicCAS: on bits, so a float NaN can be replaced
inline uint atomic_cas(device uint* p, uint expected, uint desired) {
    return atomic_cas_word((device metal::atomic_uint*)p, expected, desired);
}
inline int atomic_cas(device int* p, int expected, int desired) {
    return as_type<int>(
        atomic_cas_word((device metal::atomic_uint*)p, as_type<uint>(expected), as_type<uint>(desired)));
}
inline float atomic_cas(device float* p, float expected, float desired) {
    return as_type<float>(
        atomic_cas_word((device metal::atomic_uint*)p, as_type<uint>(expected), as_type<uint>(desired)));
}
inline ushort atomic_cas(device ushort* p, ushort expected, ushort desired) {
    bool upper = (ulong(p) & 2u) != 0u;
    return atomic_cas_half((device metal::atomic_uint*)(p - upper), upper, expected, desired);
}

// atomicInc: old >= limit ? 0 : old + 1; atomicDec: old == 0 or old > limit ? limit : old - 1
inline uint atomic_inc(device uint* p, uint value) {
    return atomic_update<atomic_wrap_up>((device metal::atomic_uint*)p, value, 0u);
}
inline uint atomic_dec(device uint* p, uint value) {
    return atomic_update<atomic_wrap_down>((device metal::atomic_uint*)p, value, 0u);
}

// 64-bit operations whose result nobody asks for, on the halves of the word
inline void atomic_add_wide(device ulong* p, ulong value) {
    device metal::atomic_uint* halves = (device metal::atomic_uint*)p;
    atomic_add_halves(halves, halves + 1, value);
}
inline void atomic_and_wide(device ulong* p, ulong value) {
    device metal::atomic_uint* halves = (device metal::atomic_uint*)p;
    metal::atomic_fetch_and_explicit(halves, uint(value), metal::memory_order_relaxed);
    metal::atomic_fetch_and_explicit(halves + 1, uint(value >> 32), metal::memory_order_relaxed);
}
inline void atomic_or_wide(device ulong* p, ulong value) {
    device metal::atomic_uint* halves = (device metal::atomic_uint*)p;
    metal::atomic_fetch_or_explicit(halves, uint(value), metal::memory_order_relaxed);
    metal::atomic_fetch_or_explicit(halves + 1, uint(value >> 32), metal::memory_order_relaxed);
}
inline void atomic_xor_wide(device ulong* p, ulong value) {
    device metal::atomic_uint* halves = (device metal::atomic_uint*)p;
    metal::atomic_fetch_xor_explicit(halves, uint(value), metal::memory_order_relaxed);
    metal::atomic_fetch_xor_explicit(halves + 1, uint(value >> 32), metal::memory_order_relaxed);
}

// Metal's own 64-bit maximum, in device memory only.
// Metal 3.1 on Apple GPU family 8 or later
inline void atomic_max_wide(device ulong* p, ulong value) {
    metal::atomic_max_explicit((device metal::atomic_ulong*)p, value, metal::memory_order_relaxed);
}

}  // namespace cu
