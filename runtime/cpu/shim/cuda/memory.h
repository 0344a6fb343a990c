// Loads and stores with cache hints: the hint changes nothing here. Also conversions between address spaces.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include "../engine.h"

#define LOAD(NAME) template <class T> inline T NAME(const T* pointer) { return *pointer; }
LOAD(__ldg) LOAD(__ldca) LOAD(__ldcg) LOAD(__ldcs) LOAD(__ldlu) LOAD(__ldcv)
#undef LOAD
#define STORE(NAME) \
  template <class T> inline void NAME(T* pointer, typename std::remove_cv<T>::type value) { *pointer = value; }
STORE(__stwb) STORE(__stcg) STORE(__stcs) STORE(__stwt)
#undef STORE

// A shared address is a 32-bit offset from the block's dynamic shared memory, since kernels keep it in 32 bits.
static inline size_t __cvta_generic_to_shared(const void* pointer) {
  return size_t(uint32_t(static_cast<const char*>(pointer) - static_cast<const char*>(::engine::dynamic_shared())));
}
static inline void* __cvta_shared_to_generic(size_t address) {
  return static_cast<char*>(::engine::dynamic_shared()) + int32_t(uint32_t(address));
}
// Where a pointer leads: the block's shared memory, a thread's own stack, or anything else.
static inline unsigned __isShared(const void* pointer) {
  const char* first = static_cast<const char*>(::engine::dynamic_shared()) - ::engine::kDeclaredBytes;
  return size_t(static_cast<const char*>(pointer) - first) < ::engine::kDeclaredBytes + ::engine::kDynamicBytes;
}
static inline unsigned __isLocal(const void* pointer) {
  const uintptr_t here = uintptr_t(__builtin_frame_address(0)), there = uintptr_t(pointer);
  return here / ::engine::kArenaBytes == there / ::engine::kArenaBytes;
}
static inline unsigned __isGlobal(const void* pointer) { return !__isShared(pointer) && !__isLocal(pointer); }
static inline size_t __cvta_generic_to_global(const void* pointer) { return reinterpret_cast<size_t>(pointer); }
static inline void* __cvta_global_to_generic(size_t address) { return reinterpret_cast<void*>(address); }
