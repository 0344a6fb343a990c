// What barriers, fences and atomics are about: kinds of memory, orders, scopes, atomic types.
#pragma once
#include "common.h"

namespace metal {

enum class mem_flags : unsigned {
    mem_none = 0,
    mem_device = 1,
    mem_threadgroup = 2,
    mem_texture = 4,
    mem_threadgroup_imageblock = 8,
    mem_object_data = 16,
};
constexpr mem_flags operator|(mem_flags a, mem_flags b) { return mem_flags(unsigned(a) | unsigned(b)); }
constexpr mem_flags operator&(mem_flags a, mem_flags b) { return mem_flags(unsigned(a) & unsigned(b)); }

enum memory_order {
    memory_order_relaxed,
    memory_order_acquire,
    memory_order_release,
    memory_order_acq_rel,
    memory_order_seq_cst,
};
enum thread_scope { thread_scope_thread, thread_scope_simdgroup, thread_scope_threadgroup, thread_scope_device };

template <class T>
struct _atomic {
    T value;
};
template <class T>
using atomic = _atomic<T>;
using atomic_int = atomic<int>;
using atomic_uint = atomic<unsigned>;
using atomic_bool = atomic<bool>;
using atomic_float = atomic<float>;
using atomic_ulong = atomic<unsigned long>;
using atomic_long = atomic<long>;

namespace detail {
template <std::size_t Size>
struct word;
template <>
struct word<1> {
    using type = unsigned char;
};
template <>
struct word<2> {
    using type = unsigned short;
};
template <>
struct word<4> {
    using type = unsigned int;
};
template <>
struct word<8> {
    using type = unsigned long long;
};
template <class T>
using word_t = typename word<sizeof(T)>::type;
}  // namespace detail

}  // namespace metal
