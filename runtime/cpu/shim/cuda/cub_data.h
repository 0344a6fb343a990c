// CUB's block-wide load, store, exchange and radix sort.
#pragma once
#include "cub.h"
#include <algorithm>

namespace cub {

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
template <CacheLoadModifier, class Iterator> inline auto ThreadLoad(Iterator it) { return *it; }

namespace detail {
// Where item i of the calling thread stands: next to each other, or a block apart.
inline int item_place(int i, int items, int threads, bool striped) {
  int thread = int(engine::linear_index());
  return striped ? i * threads + thread : thread * items + i;
}

// Nothing is reordered here, but programs that lay storage into shared memory count on CUB's sizes.
template <class T, int Count, bool Transposed> struct IoStorage { alignas(16) T items[Count]; };
template <class T, int Count> struct IoStorage<T, Count, false> {};
}  // namespace detail

// All algorithms but STRIPED give each thread neighbouring items.
template <class T, int X, int Items, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int Arch = 0>
class BlockLoad {
 public:
  using TempStorage = detail::IoStorage<T, X * Y * Z * Items, Algorithm >= BLOCK_LOAD_TRANSPOSE>;
  BlockLoad() {}
  explicit BlockLoad(TempStorage&) {}
  template <class Iterator> void Load(Iterator from, T (&items)[Items]) { Load(from, items, X * Y * Z * Items); }
  template <class Iterator> void Load(Iterator from, T (&items)[Items], int valid) {
    for (int i = 0; i < Items; ++i)
      if (int at = place(i); at < valid) items[i] = from[at];
  }
  template <class Iterator, class Default> void Load(Iterator from, T (&items)[Items], int valid, Default other) {
    for (int i = 0; i < Items; ++i) items[i] = other;
    Load(from, items, valid);
  }

 private:
  static int place(int i) { return detail::item_place(i, Items, X * Y * Z, Algorithm == BLOCK_LOAD_STRIPED); }
};

template <class T, int X, int Items, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int Arch = 0>
class BlockStore {
 public:
  using TempStorage = detail::IoStorage<T, X * Y * Z * Items, Algorithm >= BLOCK_STORE_TRANSPOSE>;
  BlockStore() {}
  explicit BlockStore(TempStorage&) {}
  template <class Iterator> void Store(Iterator to, T (&items)[Items]) { Store(to, items, X * Y * Z * Items); }
  template <class Iterator> void Store(Iterator to, T (&items)[Items], int valid) {
    for (int i = 0; i < Items; ++i) {
      int at = detail::item_place(i, Items, X * Y * Z, Algorithm == BLOCK_STORE_STRIPED);
      if (at < valid) to[at] = items[i];
    }
  }
};

// Items change owners, through memory.
template <class T, int X, int Items, bool TimeSliced = false, int Y = 1, int Z = 1, int Arch = 0>
class BlockExchange {
 public:
  struct TempStorage { alignas(16) T items[X * Y * Z * Items]; };
  explicit BlockExchange(TempStorage& storage) : storage_(storage) {}
  BlockExchange() : storage_(engine::shared<TempStorage>([] {})) {}

  void StripedToBlocked(T (&in)[Items], T (&out)[Items]) { move(in, out, striped, blocked); }
  void BlockedToStriped(T (&in)[Items], T (&out)[Items]) { move(in, out, blocked, striped); }
  void WarpStripedToBlocked(T (&in)[Items], T (&out)[Items]) { move(in, out, warp_striped, blocked); }
  void BlockedToWarpStriped(T (&in)[Items], T (&out)[Items]) { move(in, out, blocked, warp_striped); }
  template <class Rank> void ScatterToBlocked(T (&in)[Items], T (&out)[Items], Rank (&ranks)[Items]) {
    move(in, out, [&](int i) { return int(ranks[i]); }, blocked);
  }
  template <class Rank> void ScatterToStriped(T (&in)[Items], T (&out)[Items], Rank (&ranks)[Items]) {
    move(in, out, [&](int i) { return int(ranks[i]); }, striped);
  }
  void StripedToBlocked(T (&items)[Items]) { StripedToBlocked(items, items); }
  void BlockedToStriped(T (&items)[Items]) { BlockedToStriped(items, items); }
  void WarpStripedToBlocked(T (&items)[Items]) { WarpStripedToBlocked(items, items); }
  void BlockedToWarpStriped(T (&items)[Items]) { BlockedToWarpStriped(items, items); }

 private:
  static int blocked(int i) { return detail::item_place(i, Items, X * Y * Z, false); }
  static int striped(int i) { return detail::item_place(i, Items, X * Y * Z, true); }
  static int warp_striped(int i) {
    int thread = int(engine::linear_index()), first = thread / 32 * 32;
    return first * Items + i * std::min(32, X * Y * Z - first) + thread - first;
  }
  template <class From, class To> void move(T (&in)[Items], T (&out)[Items], From from, To to) {
    for (int i = 0; i < Items; ++i) storage_.items[from(i)] = in[i];
    engine::barrier();
    for (int i = 0; i < Items; ++i) out[i] = storage_.items[to(i)];
  }

  TempStorage& storage_;
};

struct NullType {};

// Stable, over the bits [first_bit, last_bit) of the keys in their numeric order.
template <class Key, int X, int Items, class Value = NullType, int RadixBits = 4, bool Memoize = true, int Algorithm = 0,
          int Config = 0, int Y = 1, int Z = 1, int Arch = 0>
class BlockRadixSort {
 public:
  static constexpr int count = X * Y * Z * Items;
  struct TempStorage {
    Key keys[count];
    Value values[count];
    unsigned short order[count];
  };
  explicit BlockRadixSort(TempStorage& storage) : storage_(storage) {}
  BlockRadixSort() : storage_(engine::shared<TempStorage>([] {})) {}

  void Sort(Key (&keys)[Items], int first_bit = 0, int last_bit = int(sizeof(Key)) * 8) {
    Value none[Items];
    sort(keys, none, false, false, first_bit, last_bit);
  }
  void Sort(Key (&keys)[Items], Value (&values)[Items], int first_bit = 0, int last_bit = int(sizeof(Key)) * 8) {
    sort(keys, values, false, false, first_bit, last_bit);
  }
  void SortDescending(Key (&keys)[Items], int first_bit = 0, int last_bit = int(sizeof(Key)) * 8) {
    Value none[Items];
    sort(keys, none, true, false, first_bit, last_bit);
  }
  void SortDescending(Key (&keys)[Items], Value (&values)[Items], int first_bit = 0, int last_bit = int(sizeof(Key)) * 8) {
    sort(keys, values, true, false, first_bit, last_bit);
  }
  void SortBlockedToStriped(Key (&keys)[Items], int first_bit = 0, int last_bit = int(sizeof(Key)) * 8) {
    Value none[Items];
    sort(keys, none, false, true, first_bit, last_bit);
  }
  void SortDescendingBlockedToStriped(Key (&keys)[Items], int first_bit = 0, int last_bit = int(sizeof(Key)) * 8) {
    Value none[Items];
    sort(keys, none, true, true, first_bit, last_bit);
  }
  void SortBlockedToStriped(Key (&keys)[Items], Value (&values)[Items], int first_bit = 0, int last_bit = int(sizeof(Key)) * 8) {
    sort(keys, values, false, true, first_bit, last_bit);
  }
  void SortDescendingBlockedToStriped(Key (&keys)[Items], Value (&values)[Items], int first_bit = 0,
                                      int last_bit = int(sizeof(Key)) * 8) {
    sort(keys, values, true, true, first_bit, last_bit);
  }

 private:
  // Unsigned digits in the keys' order: the sign bit flipped, negative floats inverted; -0 counts as +0.
  static uint64_t digits(Key key, int first_bit, int last_bit) {
    constexpr int bits = int(sizeof(Key)) * 8;
    uint64_t raw = 0;
    __builtin_memcpy(&raw, &key, sizeof(Key));
    const uint64_t sign = uint64_t(1) << (bits - 1), all = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
    if constexpr (std::is_signed_v<Key> && std::is_integral_v<Key>) raw ^= sign;
    else if constexpr (!std::is_integral_v<Key>) {
      if (raw == sign) raw = 0;
      raw = raw & sign ? ~raw & all : raw | sign;
    }
    raw >>= first_bit;
    int width = last_bit - first_bit;
    return width >= 64 ? raw : raw & ((uint64_t(1) << width) - 1);
  }

  void sort(Key (&keys)[Items], Value (&values)[Items], bool descending, bool striped, int first_bit, int last_bit) {
    for (int i = 0; i < Items; ++i) {
      int at = detail::item_place(i, Items, X * Y * Z, false);
      storage_.keys[at] = keys[i];
      storage_.values[at] = values[i];
      storage_.order[at] = (unsigned short)at;
    }
    engine::barrier();
    if (engine::linear_index() == 0) {
      // std::stable_sort would take memory of its own, which checked mode does not know.
      std::sort(storage_.order, storage_.order + count, [&](unsigned short a, unsigned short b) {
        uint64_t left = digits(storage_.keys[a], first_bit, last_bit), right = digits(storage_.keys[b], first_bit, last_bit);
        return left == right ? a < b : descending ? left > right : left < right;
      });
    }
    engine::barrier();
    for (int i = 0; i < Items; ++i) {
      int from = storage_.order[detail::item_place(i, Items, X * Y * Z, striped)];
      keys[i] = storage_.keys[from];
      values[i] = storage_.values[from];
    }
  }

  TempStorage& storage_;
};

}  // namespace cub
