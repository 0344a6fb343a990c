// libcu++: cuda::std is the host's std (cuda::std::min and the like), cuda::atomic and atomic_ref on its atomics.
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#include "../engine.h"
#include "bits.h"
#include "atomics.h"

namespace cuda {

namespace std {
using namespace ::std;
}

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

// An atomic view of memory; every scope and order is served by the strongest.
template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref {
 public:
  explicit atomic_ref(T& target) : target_(&target) {}
  T load(memory_order = memory_order_seq_cst) const { return cudashim::atomic_update(target_, [](T old) { return old; }); }
  void store(T v, memory_order = memory_order_seq_cst) const { cudashim::atomic_exchange(target_, v); }
  T exchange(T v, memory_order = memory_order_seq_cst) const { return cudashim::atomic_exchange(target_, v); }
  bool compare_exchange_strong(T& expected, T v, memory_order = memory_order_seq_cst, memory_order = memory_order_seq_cst) const {
    T old = cudashim::atomic_compare_exchange(target_, expected, v);
    bool done = cudashim::same_bits(old, expected);
    expected = old;
    return done;
  }
  bool compare_exchange_weak(T& expected, T v, memory_order = memory_order_seq_cst, memory_order = memory_order_seq_cst) const {
    return compare_exchange_strong(expected, v);
  }
#define FETCH(NAME, EXPRESSION) \
  T NAME(T v, memory_order = memory_order_seq_cst) const { return cudashim::atomic_update(target_, [v](T old) { return T(EXPRESSION); }); }
  FETCH(fetch_add, old + v) FETCH(fetch_sub, old - v) FETCH(fetch_min, v < old ? v : old) FETCH(fetch_max, old < v ? v : old)
#undef FETCH
#define FETCH(NAME, OP)                                          \
  template <class U = T> U NAME(U v, memory_order = memory_order_seq_cst) const { \
    return cudashim::atomic_update(target_, [v](U old) { return U(old OP v); });  \
  }
  FETCH(fetch_and, &) FETCH(fetch_or, |) FETCH(fetch_xor, ^)
#undef FETCH
  operator T() const { return load(); }
  T operator=(T v) const { store(v); return v; }
  T operator++() const { return fetch_add(T(1)) + T(1); }
  T operator++(int) const { return fetch_add(T(1)); }
  T operator+=(T v) const { return fetch_add(v) + v; }

 private:
  T* target_;
};

template <class T, thread_scope Scope = thread_scope_system>
class atomic : public atomic_ref<T, Scope> {
 public:
  atomic() : atomic_ref<T, Scope>(value_) {}
  atomic(T v) : atomic_ref<T, Scope>(value_), value_(v) {}
  using atomic_ref<T, Scope>::operator=;

 private:
  T value_;
};

inline void atomic_thread_fence(memory_order, thread_scope = thread_scope_system) { engine::device_fence(); }

}  // namespace cuda
