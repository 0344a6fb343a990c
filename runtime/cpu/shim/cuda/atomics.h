// Atomics with CUDA's overloads. Every one returns the old value; memory order is relaxed, as in CUDA.
// Templates work on the bits, so that checked mode sees one kind of atomic access.
#pragma once
#include "../engine.h"
#include "bits.h"
#include "vector_types.h"

namespace cudashim {

template <std::size_t Bytes> struct word_of;
template <> struct word_of<2> { using type = uint16_t; };
template <> struct word_of<4> { using type = uint32_t; };
template <> struct word_of<8> { using type = uint64_t; };

template <class T> inline bool same_bits(const T& a, const T& b) { return __builtin_memcmp(&a, &b, sizeof(T)) == 0; }

// *address = update(*address), as one step.
template <class T, class F>
inline T atomic_update(T* address, F update) {
  using Word = typename word_of<sizeof(T)>::type;
  Word* place = reinterpret_cast<Word*>(address);
  Word before = __atomic_load_n(place, __ATOMIC_RELAXED);
  for (;;) {
    T old = bit_cast<T>(before);
    Word after = bit_cast<Word>(T(update(old)));
    if (__atomic_compare_exchange_n(place, &before, after, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return old;
  }
}

template <class T>
inline T atomic_exchange(T* address, T value) {
  using Word = typename word_of<sizeof(T)>::type;
  Word old = __atomic_exchange_n(reinterpret_cast<Word*>(address), bit_cast<Word>(value), __ATOMIC_RELAXED);
  if (old == bit_cast<Word>(value)) engine::yield();  // perhaps a spin lock
  return bit_cast<T>(old);
}

template <class T>
inline T atomic_compare_exchange(T* address, T compare, T value) {
  using Word = typename word_of<sizeof(T)>::type;
  Word expected = bit_cast<Word>(compare);
  bool done = __atomic_compare_exchange_n(reinterpret_cast<Word*>(address), &expected, bit_cast<Word>(value), false,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  if (!done) engine::yield();  // perhaps a spin lock: the owner may be a fiber of this worker
  return bit_cast<T>(expected);
}

}  // namespace cudashim

#define SCOPED(FORM, NAME, ...) \
  FORM(NAME, __VA_ARGS__) FORM(NAME##_block, __VA_ARGS__) FORM(NAME##_system, __VA_ARGS__)
#define UPDATE(NAME, T, EXPRESSION)                                                            \
  static inline T NAME(T* address, T v) {                                                      \
    return ::cudashim::atomic_update(address, [v](T old) -> T { return EXPRESSION; });         \
  }
#define BUILTIN(NAME, T, OPERATION) \
  static inline T NAME(T* address, T v) { return OPERATION(address, v, __ATOMIC_RELAXED); }
#define EXCHANGE(NAME, T) \
  static inline T NAME(T* address, T v) { return ::cudashim::atomic_exchange(address, v); }
#define COMPARE(NAME, T)                                                                       \
  static inline T NAME(T* address, T compare, T v) {                                           \
    return ::cudashim::atomic_compare_exchange(address, compare, v);                           \
  }
#define FOR_INTEGERS(T)                                                                        \
  SCOPED(BUILTIN, atomicAnd, T, __atomic_fetch_and) SCOPED(BUILTIN, atomicOr, T, __atomic_fetch_or) \
  SCOPED(BUILTIN, atomicXor, T, __atomic_fetch_xor) SCOPED(EXCHANGE, atomicExch, T)            \
  SCOPED(COMPARE, atomicCAS, T)                                                                \
  SCOPED(UPDATE, atomicMin, T, old < v ? old : v) SCOPED(UPDATE, atomicMax, T, old > v ? old : v)
FOR_INTEGERS(int)
FOR_INTEGERS(unsigned int)
FOR_INTEGERS(unsigned long long)
SCOPED(UPDATE, atomicMin, long long, old < v ? old : v)
SCOPED(UPDATE, atomicMax, long long, old > v ? old : v)
SCOPED(COMPARE, atomicCAS, unsigned short)
SCOPED(EXCHANGE, atomicExch, float)
SCOPED(BUILTIN, atomicAdd, int, __atomic_fetch_add)
SCOPED(BUILTIN, atomicAdd, unsigned int, __atomic_fetch_add)
SCOPED(BUILTIN, atomicAdd, unsigned long long, __atomic_fetch_add)
SCOPED(BUILTIN, atomicSub, int, __atomic_fetch_sub)
SCOPED(BUILTIN, atomicSub, unsigned int, __atomic_fetch_sub)
SCOPED(UPDATE, atomicAdd, float, old + v)
SCOPED(UPDATE, atomicAdd, double, old + v)
SCOPED(UPDATE, atomicInc, unsigned int, old >= v ? 0u : old + 1)
SCOPED(UPDATE, atomicDec, unsigned int, old == 0 || old > v ? v : old - 1)
#undef FOR_INTEGERS

// A vector is atomic per component only.
static inline float2 atomicAdd(float2* address, float2 v) {
  return float2{atomicAdd(&address->x, v.x), atomicAdd(&address->y, v.y)};
}
static inline float4 atomicAdd(float4* address, float4 v) {
  return float4{atomicAdd(&address->x, v.x), atomicAdd(&address->y, v.y), atomicAdd(&address->z, v.z),
                atomicAdd(&address->w, v.w)};
}
