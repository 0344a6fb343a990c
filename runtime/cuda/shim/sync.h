// Barriers, fences and atomics.
#pragma once

namespace metal {

inline void threadgroup_barrier(mem_flags, thread_scope = thread_scope_threadgroup) { __syncthreads(); }
inline void simdgroup_barrier(mem_flags, thread_scope = thread_scope_simdgroup) { __syncwarp(); }
inline void atomic_thread_fence(mem_flags, memory_order = memory_order_relaxed, thread_scope = thread_scope_device) {
    __threadfence();
}

namespace detail {
template <class T>
T* plain_pointer(volatile const _atomic<T>* object) {
    return const_cast<T*>(const_cast<const T*>(&object->value));
}
template <class T>
word_t<T>* word_pointer(volatile const _atomic<T>* object) {
    return reinterpret_cast<word_t<T>*>(plain_pointer(object));
}

// The old value; the new one is f of it.
template <class T, class F>
T change(volatile _atomic<T>* object, F f) {
    word_t<T>* const at = word_pointer(object);
    word_t<T> old = *static_cast<volatile word_t<T>*>(at);
    for (;;) {
        const auto next = __builtin_bit_cast(word_t<T>, static_cast<T>(f(__builtin_bit_cast(T, old))));
        const word_t<T> seen = atomicCAS(at, old, next);
        if (seen == old) return __builtin_bit_cast(T, old);
        old = seen;
    }
}
// The types of CUDA's own atomics.
template <class T>
inline constexpr bool is_word = std::is_among_v<T, int, unsigned>;
}  // namespace detail

template <class T>
inline T atomic_load_explicit(volatile const _atomic<T>* object, memory_order) {
    return __builtin_bit_cast(T, *static_cast<volatile detail::word_t<T>*>(detail::word_pointer(object)));
}
template <class T>
inline void atomic_store_explicit(volatile _atomic<T>* object, std::type_identity_t<T> value, memory_order) {
    *static_cast<volatile detail::word_t<T>*>(detail::word_pointer(object)) =
        __builtin_bit_cast(detail::word_t<T>, value);
}
template <class T>
inline T atomic_exchange_explicit(volatile _atomic<T>* object, std::type_identity_t<T> value, memory_order) {
    return detail::change(object, [&](T) { return value; });
}
template <class T>
inline bool atomic_compare_exchange_weak_explicit(volatile _atomic<T>* object, T* expected,
                                                  std::type_identity_t<T> desired, memory_order, memory_order) {
    const auto old = __builtin_bit_cast(detail::word_t<T>, *expected);
    const auto seen =
        atomicCAS(detail::word_pointer(object), old, __builtin_bit_cast(detail::word_t<T>, desired));
    if (seen != old) *expected = __builtin_bit_cast(T, seen);
    return seen == old;
}

// `native`: the types for which CUDA has the instruction.
#define MSL_FETCH(name, native, function, expression)                                                            \
    template <class T>                                                                                           \
    inline T atomic_fetch_##name##_explicit(volatile _atomic<T>* object, std::type_identity_t<T> y, memory_order) { \
        if constexpr (native) {                                                                                  \
            return function(detail::plain_pointer(object), y);                                                   \
        } else {                                                                                                 \
            return detail::change(object, [&](T x) { return expression; });                                      \
        }                                                                                                        \
    }
MSL_FETCH(add, (detail::is_word<T> || std::is_same_v<T, float>), atomicAdd, x + y)
MSL_FETCH(sub, detail::is_word<T>, atomicSub, x - y)
MSL_FETCH(min, detail::is_word<T>, atomicMin, min(x, y))
MSL_FETCH(max, detail::is_word<T>, atomicMax, max(x, y))
MSL_FETCH(and, detail::is_word<T>, atomicAnd, x & y)
MSL_FETCH(or, detail::is_word<T>, atomicOr, x | y)
MSL_FETCH(xor, detail::is_word<T>, atomicXor, x ^ y)
#undef MSL_FETCH
template <class T>
inline void atomic_max_explicit(volatile _atomic<T>* object, std::type_identity_t<T> value, memory_order order) {
    atomic_fetch_max_explicit(object, value, order);
}
template <class T>
inline void atomic_min_explicit(volatile _atomic<T>* object, std::type_identity_t<T> value, memory_order order) {
    atomic_fetch_min_explicit(object, value, order);
}

}  // namespace metal
