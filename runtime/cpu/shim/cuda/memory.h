// Loads and stores with cache hints: the hint changes nothing here. Also fences and address-space queries.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#define LOAD(NAME) template <class T> inline T NAME(const T* pointer) { return *pointer; }
LOAD(__ldg) LOAD(__ldca) LOAD(__ldcg) LOAD(__ldcs) LOAD(__ldlu) LOAD(__ldcv)
#undef LOAD
#define STORE(NAME) \
  template <class T> inline void NAME(T* pointer, typename std::remove_cv<T>::type value) { *pointer = value; }
STORE(__stwb) STORE(__stcg) STORE(__stcs) STORE(__stwt)
#undef STORE

static inline size_t __cvta_generic_to_shared(const void* pointer) { return (size_t)pointer; }
static inline size_t __cvta_generic_to_global(const void* pointer) { return (size_t)pointer; }
static inline void* __cvta_shared_to_generic(size_t address) { return (void*)address; }
static inline void* __cvta_global_to_generic(size_t address) { return (void*)address; }
