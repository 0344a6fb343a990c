// CUB's collectives for a block and a warp: reduce and scan here, load, store and sort in cub_data.h.
// Sums are formed in CUB's default order (pairs of neighbours within a warp, then warp after warp).
#pragma once
#include "groups_algorithms.h"
#include "warp.h"

namespace cub {

struct Sum { template <class T> T operator()(const T& a, const T& b) const { return a + b; } };
struct Max { template <class T> T operator()(const T& a, const T& b) const { return b > a ? b : a; } };
struct Min { template <class T> T operator()(const T& a, const T& b) const { return b < a ? b : a; } };
struct Equality { template <class T> bool operator()(const T& a, const T& b) const { return a == b; } };
struct Inequality { template <class T> bool operator()(const T& a, const T& b) const { return a != b; } };

template <class K, class V> struct KeyValuePair {
  K key;
  V value;
};
struct ArgMax {
  template <class K, class V> KeyValuePair<K, V> operator()(const KeyValuePair<K, V>& a, const KeyValuePair<K, V>& b) const {
    return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class K, class V> KeyValuePair<K, V> operator()(const KeyValuePair<K, V>& a, const KeyValuePair<K, V>& b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

inline unsigned LaneId() { return engine::lane(); }
inline unsigned WarpId() { return engine::simdgroup(); }
inline void CTA_SYNC() { engine::barrier(); }
inline void WARP_SYNC(unsigned mask) { engine::simd_barrier(mask); }

namespace detail {

template <class T, int N, class Op>
inline T reduce_items(const T (&items)[N], Op op) {
  T total = items[0];
  for (int i = 1; i < N; ++i) total = op(total, items[i]);
  return total;
}

// A warp's tree: value i takes in i + 1, then i + 2, … as long as that is below `count`.
template <class T, class Op>
inline T reduce_warp(T* values, int count, Op op) {
  for (int step = 1; step < 32; step *= 2)
    for (int i = 0; i + step < count; i += 2 * step) values[i] = op(values[i], values[i + step]);
  return values[0];
}

}  // namespace detail

// The result is valid in thread 0.
template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int Arch = 0>
class BlockReduce {
 public:
  struct TempStorage { T values[X * Y * Z]; };
  explicit BlockReduce(TempStorage& storage) : storage_(storage) {}

  template <class Op> T Reduce(T value, Op op, int valid) {
    unsigned thread = engine::linear_index();
    storage_.values[thread] = value;
    engine::barrier();
    if (thread != 0) return value;
    T total{};
    for (int first = 0; first < valid; first += 32) {
      T warp = detail::reduce_warp(storage_.values + first, valid - first < 32 ? valid - first : 32, op);
      total = first == 0 ? warp : T(op(total, warp));
    }
    return total;
  }
  template <class Op> T Reduce(T value, Op op) { return Reduce(value, op, X * Y * Z); }
  template <int N, class Op> T Reduce(T (&items)[N], Op op) { return Reduce(detail::reduce_items(items, op), op); }
  T Sum(T value) { return Reduce(value, cub::Sum()); }
  T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }
  template <int N> T Sum(T (&items)[N]) { return Reduce(items, cub::Sum()); }

 private:
  TempStorage& storage_;
};

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int Arch = 0>
class BlockScan {
 public:
  struct TempStorage {
    T values[X * Y * Z];
    T total, prefix;
  };
  explicit BlockScan(TempStorage& storage) : storage_(storage) {}

  // Inclusive.
  template <class Op> void InclusiveScan(T in, T& out, Op op) { T total; InclusiveScan(in, out, op, total); }
  template <class Op> void InclusiveScan(T in, T& out, Op op, T& total) {
    T items[1] = {in};
    scan(items, items, op, true, no_prefix, total);
    out = items[0];
  }
  template <int N, class Op> void InclusiveScan(T (&in)[N], T (&out)[N], Op op) {
    T total;
    scan(in, out, op, true, no_prefix, total);
  }
  template <int N, class Op, class Prefix, class = decltype(std::declval<Prefix&>()(std::declval<T>()))>
  void InclusiveScan(T (&in)[N], T (&out)[N], Op op, Prefix& prefix) {
    T total;
    scan(in, out, op, true, &prefix, total);
  }
  void InclusiveSum(T in, T& out) { InclusiveScan(in, out, cub::Sum()); }
  void InclusiveSum(T in, T& out, T& total) { InclusiveScan(in, out, cub::Sum(), total); }
  template <int N> void InclusiveSum(T (&in)[N], T (&out)[N]) { InclusiveScan(in, out, cub::Sum()); }

  // Exclusive; `initial` comes first.
  template <class Op> void ExclusiveScan(T in, T& out, T initial, Op op) { T total; ExclusiveScan(in, out, initial, op, total); }
  template <class Op> void ExclusiveScan(T in, T& out, T initial, Op op, T& total) {
    T items[1] = {in};
    ExclusiveScan(items, items, initial, op, total);
    out = items[0];
  }
  template <int N, class Op> void ExclusiveScan(T (&in)[N], T (&out)[N], T initial, Op op) {
    T total;
    ExclusiveScan(in, out, initial, op, total);
  }
  template <int N, class Op> void ExclusiveScan(T (&in)[N], T (&out)[N], T initial, Op op, T& total) {
    auto prefix = [initial](T) { return initial; };
    scan(in, out, op, false, &prefix, total);
  }
  void ExclusiveSum(T in, T& out) { ExclusiveScan(in, out, T{}, cub::Sum()); }
  void ExclusiveSum(T in, T& out, T& total) { ExclusiveScan(in, out, T{}, cub::Sum(), total); }
  template <int N> void ExclusiveSum(T (&in)[N], T (&out)[N]) { ExclusiveScan(in, out, T{}, cub::Sum()); }
  template <int N> void ExclusiveSum(T (&in)[N], T (&out)[N], T& total) { ExclusiveScan(in, out, T{}, cub::Sum(), total); }

 private:
  using NoPrefix = T (*)(T);
  static constexpr NoPrefix* no_prefix = nullptr;

  // Thread totals through memory; the first warp asks `prefix` for what stands before the block.
  template <int N, class Op, class Prefix>
  void scan(T (&in)[N], T (&out)[N], Op op, bool inclusive, Prefix* prefix, T& total) {
    const unsigned thread = engine::linear_index(), threads = X * Y * Z;
    storage_.values[thread] = detail::reduce_items(in, op);
    engine::barrier();
    if (thread == 0) {
      for (unsigned i = 1; i < threads; ++i) storage_.values[i] = op(storage_.values[i - 1], storage_.values[i]);
      storage_.total = storage_.values[threads - 1];
    }
    engine::barrier();
    total = storage_.total;
    if (prefix != nullptr) {
      if (thread < 32) {
        T before = (*prefix)(total);
        if (thread == 0) storage_.prefix = before;
      }
      engine::barrier();
    }
    bool known = prefix != nullptr || thread > 0;
    T running{};
    if (prefix != nullptr) running = thread > 0 ? T(op(storage_.prefix, storage_.values[thread - 1])) : storage_.prefix;
    else if (thread > 0) running = storage_.values[thread - 1];
    for (int i = 0; i < N; ++i) {
      T item = in[i], next = known ? T(op(running, item)) : item;
      out[i] = inclusive ? next : running;
      running = next;
      known = true;
    }
  }

  TempStorage& storage_;
};

// Over the warp's logical segments of `Threads` lanes; the result of a reduction is valid in their first lane.
template <class T, int Threads = 32, int Arch = 0>
class WarpReduce {
 public:
  struct TempStorage {};
  explicit WarpReduce(TempStorage&) {}
  template <class Op> T Reduce(T value, Op op) { return Reduce(value, op, Threads); }
  template <class Op> T Reduce(T value, Op op, int valid) {
    int lane = int(engine::lane()) % Threads;
    for (int step = 1; step < Threads; step *= 2) {
      T other = cudashim::shuffle(mask(), value, cudashim::source_down(unsigned(step), Threads));
      if (lane + step < valid) value = op(value, other);
    }
    return value;
  }
  T Sum(T value) { return Reduce(value, cub::Sum()); }
  T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }

 private:
  static unsigned mask() { return cooperative_groups::segment_mask(Threads); }
};

template <class T, int Threads = 32, int Arch = 0>
class WarpScan {
 public:
  struct TempStorage {};
  explicit WarpScan(TempStorage&) {}
  template <class Op> void InclusiveScan(T in, T& out, Op op) {
    int lane = int(engine::lane()) % Threads;
    out = in;
    for (int step = 1; step < Threads; step *= 2) {
      T before = cudashim::shuffle(mask(), out, cudashim::source_up(unsigned(step), Threads));
      if (lane >= step) out = op(before, out);
    }
  }
  template <class Op> void InclusiveScan(T in, T& out, Op op, T& total) {
    InclusiveScan(in, out, op);
    total = cudashim::shuffle(mask(), out, cudashim::source_indexed(Threads - 1, Threads));
  }
  template <class Op> void ExclusiveScan(T in, T& out, T initial, Op op) {
    T inclusive;
    InclusiveScan(in, inclusive, op);
    T before = cudashim::shuffle(mask(), inclusive, cudashim::source_up(1, Threads));
    out = int(engine::lane()) % Threads == 0 ? initial : T(op(initial, before));
  }
  void InclusiveSum(T in, T& out) { InclusiveScan(in, out, cub::Sum()); }
  void InclusiveSum(T in, T& out, T& total) { InclusiveScan(in, out, cub::Sum(), total); }
  void ExclusiveSum(T in, T& out) { ExclusiveScan(in, out, T{}, cub::Sum()); }
  void ExclusiveSum(T in, T& out, T& total) {
    ExclusiveSum(in, out);
    total = cudashim::shuffle(mask(), T(out + in), cudashim::source_indexed(Threads - 1, Threads));
  }
  T Broadcast(T value, unsigned lane) { return cudashim::shuffle(mask(), value, cudashim::source_indexed(int(lane), Threads)); }

 private:
  static unsigned mask() { return cooperative_groups::segment_mask(Threads); }
};

}  // namespace cub

#include "cub_data.h"
