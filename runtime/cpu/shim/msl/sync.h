// Barriers, fences and atomics.
#pragma once
#include "../engine.h"
#include "memory.h"

namespace metal {

inline void threadgroup_barrier(mem_flags flags, thread_scope = thread_scope_threadgroup) {
    engine::barrier(unsigned(flags) & engine::kAllMemory);
}
inline void simdgroup_barrier(mem_flags flags, thread_scope = thread_scope_simdgroup) {
    engine::simd_barrier(0, unsigned(flags) & engine::kAllMemory);
}
inline void atomic_thread_fence(mem_flags flags, memory_order = memory_order_relaxed,
                                thread_scope scope = thread_scope_device) {
    if (unsigned(flags) & unsigned(mem_flags::mem_device) && scope == thread_scope_device) engine::device_fence();
}

namespace detail {
template <class T>
word_t<T>* bits(volatile const _atomic<T>* object) {
    return reinterpret_cast<word_t<T>*>(const_cast<T*>(const_cast<const T*>(&object->value)));
}
template <class T>
T from_word(word_t<T> word) {
    return __builtin_bit_cast(T, word);
}

// The old value; the new one is f of it.
template <class T, class F>
T change(volatile _atomic<T>* object, F f) {
    word_t<T>* const at = bits(object);
    word_t<T> old = __atomic_load_n(at, __ATOMIC_RELAXED);
    for (;;) {
        const auto next = __builtin_bit_cast(word_t<T>, static_cast<T>(f(from_word<T>(old))));
        if (__atomic_compare_exchange_n(at, &old, next, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) return from_word<T>(old);
    }
}
}  // namespace detail

template <class T>
inline T atomic_load_explicit(volatile const _atomic<T>* object, memory_order) {
    return detail::from_word<T>(__atomic_load_n(detail::bits(object), __ATOMIC_SEQ_CST));
}
template <class T>
inline void atomic_store_explicit(volatile _atomic<T>* object, std::type_identity_t<T> value, memory_order) {
    __atomic_store_n(detail::bits(object), __builtin_bit_cast(detail::word_t<T>, value), __ATOMIC_SEQ_CST);
}
template <class T>
inline T atomic_exchange_explicit(volatile _atomic<T>* object, std::type_identity_t<T> value, memory_order) {
    const auto word = __builtin_bit_cast(detail::word_t<T>, value);
    return detail::from_word<T>(__atomic_exchange_n(detail::bits(object), word, __ATOMIC_SEQ_CST));
}
template <class T>
inline bool atomic_compare_exchange_weak_explicit(volatile _atomic<T>* object, T* expected,
                                                  std::type_identity_t<T> desired, memory_order, memory_order) {
    auto old = __builtin_bit_cast(detail::word_t<T>, *expected);
    const bool done = __atomic_compare_exchange_n(detail::bits(object), &old,
                                                  __builtin_bit_cast(detail::word_t<T>, desired), false, __ATOMIC_SEQ_CST,
                                                  __ATOMIC_SEQ_CST);
    if (!done) *expected = detail::from_word<T>(old);
    return done;
}

#define MSL_FETCH(name, expression)                                                                              \
    template <class T>                                                                                           \
    inline T atomic_fetch_##name##_explicit(volatile _atomic<T>* object, std::type_identity_t<T> y, memory_order) { \
        return detail::change(object, [&](T x) { return expression; });                                          \
    }
MSL_FETCH(add, x + y)
MSL_FETCH(sub, x - y)
MSL_FETCH(min, min(x, y))
MSL_FETCH(max, max(x, y))
MSL_FETCH(and, x & y)
MSL_FETCH(or, x | y)
MSL_FETCH(xor, x ^ y)
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
