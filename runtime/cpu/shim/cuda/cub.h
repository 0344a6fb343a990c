// CUB's collectives for a block and a warp: reduce and scan here, load, store, exchange and sort in cub_data.h.
// Sums are formed in CUB's default order (pairs of neighbours within a warp, then warp after warp), in storage that
// is no larger than CUB's: programs lay it into shared memory whose size they compute for CUB's.
#pragma once
#include "groups_algorithms.h"
#include "warp.h"
#include <algorithm>

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

// Of `count` neighbouring lanes this one is number `index`; the first of them gets the result.
template <class T, class Op>
inline T reduce_lanes(T value, int index, int count, unsigned mask, Op op) {
  for (int step = 1; step < 32; step *= 2) {
    bool more = index + step < count;
    T other = cudashim::shuffle(mask, value, int(engine::lane()) + (more ? step : 0));
    if (more) value = op(value, other);
  }
  return value;
}

template <class T, class Op>
inline T scan_lanes(T value, int index, unsigned mask, Op op) {
  for (int step = 1; step < 32; step *= 2) {
    bool more = index >= step;
    T other = cudashim::shuffle(mask, value, int(engine::lane()) - (more ? step : 0));
    if (more) value = op(other, value);
  }
  return value;
}

inline unsigned warp_mask() { return cooperative_groups::segment_mask(32); }

}  // namespace detail

// The result is valid in thread 0.
template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int Arch = 0>
class BlockReduce {
 public:
  struct TempStorage { T warps[(X * Y * Z + 31) / 32]; };
  explicit BlockReduce(TempStorage& storage) : storage_(storage) {}
  BlockReduce() : storage_(engine::shared<TempStorage>([] {})) {}

  template <class Op> T Reduce(T value, Op op, int valid) {
    const int thread = int(engine::linear_index()), lane = thread % 32, first = thread - lane;
    value = detail::reduce_lanes(value, lane, std::min(valid - first, 32), detail::warp_mask(), op);
    if (lane == 0) storage_.warps[first / 32] = value;
    engine::barrier();
    if (thread == 0)
      for (int warp = 1; warp * 32 < valid; ++warp) value = op(value, storage_.warps[warp]);
    return value;
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
    T warps[(X * Y * Z + 31) / 32];
    T prefix;
  };
  explicit BlockScan(TempStorage& storage) : storage_(storage) {}
  BlockScan() : storage_(engine::shared<TempStorage>([] {})) {}

  // Several items a thread. `last` is the aggregate, which is assigned, or a prefix functor, which is called.
  template <int N, class Op> void InclusiveScan(T (&in)[N], T (&out)[N], Op op) { T total; scan(in, out, op, true, nullptr, total); }
  template <int N, class Op, class Last> void InclusiveScan(T (&in)[N], T (&out)[N], Op op, Last& last) {
    scan(in, out, op, true, nullptr, last);
  }
  template <int N, class Op> void ExclusiveScan(T (&in)[N], T (&out)[N], Op op) { T total; scan(in, out, op, false, nullptr, total); }
  template <int N, class Op, class Last> void ExclusiveScan(T (&in)[N], T (&out)[N], Op op, Last& last) {
    scan(in, out, op, false, nullptr, last);
  }
  template <int N, class Op> void ExclusiveScan(T (&in)[N], T (&out)[N], T initial, Op op) {
    T total;
    scan(in, out, op, false, &initial, total);
  }
  template <int N, class Op> void ExclusiveScan(T (&in)[N], T (&out)[N], T initial, Op op, T& total) {
    scan(in, out, op, false, &initial, total);
  }
  template <int N> void InclusiveSum(T (&in)[N], T (&out)[N]) { InclusiveScan(in, out, cub::Sum()); }
  template <int N, class Last> void InclusiveSum(T (&in)[N], T (&out)[N], Last& last) { InclusiveScan(in, out, cub::Sum(), last); }
  template <int N> void ExclusiveSum(T (&in)[N], T (&out)[N]) { ExclusiveScan(in, out, T{}, cub::Sum()); }
  template <int N, class Last> void ExclusiveSum(T (&in)[N], T (&out)[N], Last& last) {
    T nothing{};
    scan(in, out, cub::Sum(), false, std::is_same_v<Last, T> ? &nothing : nullptr, last);
  }

  // One item a thread.
  template <class Op> void InclusiveScan(T in, T& out, Op op) { one(in, out, [&](auto& x) { InclusiveScan(x, x, op); }); }
  template <class Op, class Last> void InclusiveScan(T in, T& out, Op op, Last& last) {
    one(in, out, [&](auto& x) { InclusiveScan(x, x, op, last); });
  }
  template <class Op> void ExclusiveScan(T in, T& out, Op op) { one(in, out, [&](auto& x) { ExclusiveScan(x, x, op); }); }
  template <class Op, class Last> void ExclusiveScan(T in, T& out, Op op, Last& last) {
    one(in, out, [&](auto& x) { ExclusiveScan(x, x, op, last); });
  }
  template <class Op> void ExclusiveScan(T in, T& out, T initial, Op op) {
    one(in, out, [&](auto& x) { ExclusiveScan(x, x, initial, op); });
  }
  template <class Op> void ExclusiveScan(T in, T& out, T initial, Op op, T& total) {
    one(in, out, [&](auto& x) { ExclusiveScan(x, x, initial, op, total); });
  }
  void InclusiveSum(T in, T& out) { one(in, out, [&](auto& x) { InclusiveSum(x, x); }); }
  template <class Last> void InclusiveSum(T in, T& out, Last& last) { one(in, out, [&](auto& x) { InclusiveSum(x, x, last); }); }
  void ExclusiveSum(T in, T& out) { one(in, out, [&](auto& x) { ExclusiveSum(x, x); }); }
  template <class Last> void ExclusiveSum(T in, T& out, Last& last) { one(in, out, [&](auto& x) { ExclusiveSum(x, x, last); }); }

 private:
  template <class Call> static void one(T in, T& out, Call call) {
    T items[1] = {in};
    call(items);
    out = items[0];
  }

  // The first warp asks a prefix functor for what stands before the block; thread 0's answer counts.
  template <int N, class Op, class Last>
  void scan(T (&in)[N], T (&out)[N], Op op, bool inclusive, const T* initial, Last& last) {
    const int thread = int(engine::linear_index()), threads = X * Y * Z, lane = thread % 32, warp = thread / 32;
    const unsigned mask = detail::warp_mask();
    T upto = detail::scan_lanes(detail::reduce_items(in, op), lane, mask, op);
    T running = cudashim::shuffle(mask, upto, int(engine::lane()) - (lane > 0 ? 1 : 0));
    if (lane == 31 || thread == threads - 1) storage_.warps[warp] = upto;
    engine::barrier();
    T total = storage_.warps[0];
    for (int next = 1; next * 32 < threads; ++next) {
      if (next == warp) running = lane > 0 ? T(op(total, running)) : total;
      total = op(total, storage_.warps[next]);
    }
    bool known = thread > 0;
    if constexpr (std::is_same_v<Last, T>) {
      last = total;
      if (initial != nullptr) running = known ? T(op(*initial, running)) : *initial;
      known = known || initial != nullptr;
    } else {
      if (thread < 32) {
        T before = last(total);
        if (thread == 0) storage_.prefix = before;
      }
      engine::barrier();
      running = known ? T(op(storage_.prefix, running)) : storage_.prefix;
      known = true;
    }
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
  template <class Op> T Reduce(T value, Op op, int valid) { return detail::reduce_lanes(value, index(), valid, mask(), op); }
  T Sum(T value) { return Reduce(value, cub::Sum()); }
  T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }

  // Segments begin at lanes whose flag is set, or end there.
  template <class Op> T HeadSegmentedReduce(T value, int flag, Op op) { return segmented(value, flag, op, 1); }
  template <class Op> T TailSegmentedReduce(T value, int flag, Op op) { return segmented(value, flag, op, 0); }
  T HeadSegmentedSum(T value, int flag) { return HeadSegmentedReduce(value, flag, cub::Sum()); }
  T TailSegmentedSum(T value, int flag) { return TailSegmentedReduce(value, flag, cub::Sum()); }

 private:
  static int index() { return int(engine::lane()) % Threads; }
  static unsigned mask() { return cooperative_groups::segment_mask(Threads); }

  template <class Op> static T segmented(T value, int flag, Op op, int shift) {
    unsigned flags = cudashim::ballot(mask(), flag != 0) >> (int(engine::lane()) - index());
    int end = index() + shift;
    while (end < Threads && !((flags >> end) & 1)) ++end;
    return detail::reduce_lanes(value, index(), std::min(shift == 1 ? end : end + 1, Threads), mask(), op);
  }
};

template <class T, int Threads = 32, int Arch = 0>
class WarpScan {
 public:
  struct TempStorage {};
  explicit WarpScan(TempStorage&) {}
  T Broadcast(T value, unsigned lane) { return cudashim::shuffle(mask(), value, int(engine::lane()) - index() + int(lane)); }

  template <class Op> void Scan(T in, T& inclusive, T& exclusive, Op op) {
    inclusive = detail::scan_lanes(in, index(), mask(), op);
    exclusive = cudashim::shuffle(mask(), inclusive, int(engine::lane()) - (index() > 0 ? 1 : 0));
  }
  template <class Op> void Scan(T in, T& inclusive, T& exclusive, T initial, Op op) {
    Scan(in, inclusive, exclusive, op);
    inclusive = op(initial, inclusive);
    exclusive = index() > 0 ? T(op(initial, exclusive)) : initial;
  }
  template <class Op> void InclusiveScan(T in, T& out, Op op) { out = detail::scan_lanes(in, index(), mask(), op); }
  template <class Op> void InclusiveScan(T in, T& out, Op op, T& total) {
    InclusiveScan(in, out, op);
    total = Broadcast(out, Threads - 1);
  }
  template <class Op> void ExclusiveScan(T in, T& out, Op op) { T total; ExclusiveScan(in, out, op, total); }
  template <class Op> void ExclusiveScan(T in, T& out, Op op, T& total) {
    T inclusive;
    Scan(in, inclusive, out, op);
    total = Broadcast(inclusive, Threads - 1);
  }
  template <class Op> void ExclusiveScan(T in, T& out, T initial, Op op) { T total; ExclusiveScan(in, out, initial, op, total); }
  template <class Op> void ExclusiveScan(T in, T& out, T initial, Op op, T& total) {
    ExclusiveScan(in, out, op, total);
    out = index() > 0 ? T(op(initial, out)) : initial;
  }
  void Sum(T in, T& inclusive, T& exclusive) { Scan(in, inclusive, exclusive, T{}, cub::Sum()); }
  void InclusiveSum(T in, T& out) { InclusiveScan(in, out, cub::Sum()); }
  void InclusiveSum(T in, T& out, T& total) { InclusiveScan(in, out, cub::Sum(), total); }
  void ExclusiveSum(T in, T& out) { ExclusiveScan(in, out, T{}, cub::Sum()); }
  void ExclusiveSum(T in, T& out, T& total) { ExclusiveScan(in, out, T{}, cub::Sum(), total); }

 private:
  static int index() { return int(engine::lane()) % Threads; }
  static unsigned mask() { return cooperative_groups::segment_mask(Threads); }
};

}  // namespace cub

#include "cub_data.h"
