// The entry points that -fsanitize=thread makes the compiler call, answered by check.cpp instead of TSan.
#include <cstring>

#include "check.h"

using engine::check::Access;
using engine::check::access;

namespace {
std::uintptr_t number(const volatile void* address) { return reinterpret_cast<std::uintptr_t>(address); }
}  // namespace

#define FRAME static_cast<void**>(__builtin_frame_address(0))
#define HOOK extern "C" [[gnu::noinline, gnu::visibility("default")]]

#define PLAIN(name, size)                                                                                      \
    HOOK void __tsan_read##name(void* at) { access(number(at), size, Access::kRead, FRAME); }                  \
    HOOK void __tsan_write##name(void* at) { access(number(at), size, Access::kWrite, FRAME); }                \
    HOOK void __tsan_read_write##name(void* at) { access(number(at), size, Access::kWrite, FRAME); }           \
    HOOK void __tsan_volatile_read##name(void* at) { access(number(at), size, Access::kRead, FRAME); }         \
    HOOK void __tsan_volatile_write##name(void* at) { access(number(at), size, Access::kWrite, FRAME); }       \
    HOOK void __tsan_unaligned_read##name(void* at) { access(number(at), size, Access::kRead, FRAME); }        \
    HOOK void __tsan_unaligned_write##name(void* at) { access(number(at), size, Access::kWrite, FRAME); }      \
    HOOK void __tsan_unaligned_read_write##name(void* at) { access(number(at), size, Access::kWrite, FRAME); } \
    HOOK void __tsan_unaligned_volatile_read##name(void* at) { access(number(at), size, Access::kRead, FRAME); } \
    HOOK void __tsan_unaligned_volatile_write##name(void* at) { access(number(at), size, Access::kWrite, FRAME); }
PLAIN(1, 1)
PLAIN(2, 2)
PLAIN(4, 4)
PLAIN(8, 8)
PLAIN(16, 16)

HOOK void __tsan_read_range(void* at, unsigned long size) { access(number(at), size, Access::kRead, FRAME); }
HOOK void __tsan_write_range(void* at, unsigned long size) { access(number(at), size, Access::kWrite, FRAME); }
HOOK void __tsan_init() {}
HOOK void __tsan_func_entry(void*) {}
HOOK void __tsan_func_exit() {}
HOOK void __tsan_vptr_update(void**, void*) {}
HOOK void __tsan_vptr_read(void**) {}
HOOK void __tsan_ignore_thread_begin() {}
HOOK void __tsan_ignore_thread_end() {}

// clang sends the block operations here.
HOOK void* __tsan_memcpy(void* to, const void* from, unsigned long size) {
    access(number(from), size, Access::kRead, FRAME);
    access(number(to), size, Access::kWrite, FRAME);
    return std::memcpy(to, from, size);
}
HOOK void* __tsan_memmove(void* to, const void* from, unsigned long size) {
    access(number(from), size, Access::kRead, FRAME);
    access(number(to), size, Access::kWrite, FRAME);
    return std::memmove(to, from, size);
}
HOOK void* __tsan_memset(void* to, int value, unsigned long size) {
    access(number(to), size, Access::kWrite, FRAME);
    return std::memset(to, value, size);
}

// Atomics come as calls that must also do the work.
#define READ_MODIFY(bits, type, name, builtin)                                                   \
    HOOK type __tsan_atomic##bits##_##name(volatile type* at, type value, int) {                 \
        access(number(at), sizeof(type), Access::kAtomic, FRAME);                                \
        return builtin(at, value, __ATOMIC_SEQ_CST);                                             \
    }
#define COMPARE(bits, type, name)                                                                               \
    HOOK int __tsan_atomic##bits##_##name(volatile type* at, type* expected, type desired, int, int) {          \
        access(number(at), sizeof(type), Access::kExchange, FRAME);                                             \
        return __atomic_compare_exchange_n(at, expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);   \
    }
#define ATOMICS(bits, type)                                                                                \
    HOOK type __tsan_atomic##bits##_load(const volatile type* at, int) {                                   \
        access(number(at), sizeof(type), Access::kAtomicRead, FRAME);                                      \
        return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                      \
    }                                                                                                      \
    HOOK void __tsan_atomic##bits##_store(volatile type* at, type value, int) {                            \
        access(number(at), sizeof(type), Access::kAtomicStore, FRAME);                                     \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                     \
    }                                                                                                      \
    HOOK type __tsan_atomic##bits##_compare_exchange_val(volatile type* at, type expected, type desired, int, int) { \
        access(number(at), sizeof(type), Access::kExchange, FRAME);                                        \
        __atomic_compare_exchange_n(at, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);    \
        return expected;                                                                                   \
    }                                                                                                      \
    COMPARE(bits, type, compare_exchange_strong)                                                           \
    COMPARE(bits, type, compare_exchange_weak)                                                             \
    READ_MODIFY(bits, type, exchange, __atomic_exchange_n)                                                 \
    READ_MODIFY(bits, type, fetch_add, __atomic_fetch_add)                                                 \
    READ_MODIFY(bits, type, fetch_sub, __atomic_fetch_sub)                                                 \
    READ_MODIFY(bits, type, fetch_and, __atomic_fetch_and)                                                 \
    READ_MODIFY(bits, type, fetch_or, __atomic_fetch_or)                                                   \
    READ_MODIFY(bits, type, fetch_xor, __atomic_fetch_xor)                                                 \
    READ_MODIFY(bits, type, fetch_nand, __atomic_fetch_nand)
ATOMICS(8, std::uint8_t)
ATOMICS(16, std::uint16_t)
ATOMICS(32, std::uint32_t)
ATOMICS(64, std::uint64_t)

HOOK void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
HOOK void __tsan_atomic_signal_fence(int) {}
