// Shuffles, votes, match and reduce over the lanes of a warp. Every one is an engine collective; the forms
// without _sync (before CUDA 9) work on whoever is active.
#pragma once
#include "../engine.h"
#include <cstring>
#include <type_traits>

namespace cudashim {

template <class Lane, class F>
inline void for_each_lane(void* const* lanes, uint32_t active, F f) {
  for (uint32_t rest = active; rest != 0; rest &= rest - 1) {
    int i = __builtin_ctz(rest);
    f(i, *static_cast<Lane*>(lanes[i]));
  }
}

// Every lane reads the value of lane `source`. CUDA leaves the value undefined when that lane takes no part:
// here it is all ones (NaN), so that a use shows.
template <class T>
inline T shuffle(uint32_t mask, T value, int source) {
  struct Lane {
    T value, result;
    int source;
  } mine{value, value, source};
  engine::collective(&mine, [](void* const* lanes, uint32_t active) {
    for_each_lane<Lane>(lanes, active, [&](int, Lane& lane) {
      if ((active >> lane.source) & 1) {
        lane.result = static_cast<Lane*>(lanes[lane.source])->value;
      } else {
        std::memset(static_cast<void*>(&lane.result), 0xff, sizeof(T));
      }
    });
  }, mask);
  return mine.result;
}

// The source lanes of the four forms, for segments of `width` lanes. A lane whose source is outside keeps its own.
inline int source_indexed(int index, int width) {
  int lane = int(engine::lane());
  return (lane & ~(width - 1)) | (index & (width - 1));
}
inline int source_up(unsigned delta, int width) {
  int lane = int(engine::lane()), source = lane - int(delta & 31);
  return source < (lane & ~(width - 1)) ? lane : source;
}
inline int source_down(unsigned delta, int width) {
  int lane = int(engine::lane()), source = lane + int(delta & 31);
  return source > (lane | (width - 1)) ? lane : source;
}
inline int source_xor(int bits, int width) {
  int lane = int(engine::lane()), source = lane ^ (bits & 31);
  return source > (lane | (width - 1)) ? lane : source;
}

inline uint32_t ballot(uint32_t mask, bool predicate) {
  struct Lane {
    bool predicate;
    uint32_t result;
  } mine{predicate, 0};
  engine::collective(&mine, [](void* const* lanes, uint32_t active) {
    uint32_t yes = 0;
    for_each_lane<Lane>(lanes, active, [&](int i, Lane& lane) { yes |= uint32_t(lane.predicate) << i; });
    for_each_lane<Lane>(lanes, active, [&](int, Lane& lane) { lane.result = yes; });
  }, mask);
  return mine.result;
}

inline bool all_of(uint32_t mask, bool predicate) { return ballot(mask, !predicate) == 0; }

// Which lanes hold the same bits as this one.
template <class T>
inline uint32_t match(uint32_t mask, T value) {
  struct Lane {
    T value;
    uint32_t result;
  } mine{value, 0};
  engine::collective(&mine, [](void* const* lanes, uint32_t active) {
    for_each_lane<Lane>(lanes, active, [&](int, Lane& lane) {
      for_each_lane<Lane>(lanes, active, [&](int j, Lane& other) {
        lane.result |= uint32_t(std::memcmp(&lane.value, &other.value, sizeof(T)) == 0) << j;
      });
    });
  }, mask);
  return mine.result;
}

// Op() combines in lane order; every lane gets the result.
template <class T, class Op>
inline T reduce(uint32_t mask, T value, Op = Op()) {
  engine::collective(&value, [](void* const* lanes, uint32_t active) {
    bool first = true;
    T total{};
    for_each_lane<T>(lanes, active, [&](int, T& v) { total = first ? v : T(Op()(total, v)), first = false; });
    for_each_lane<T>(lanes, active, [&](int, T& v) { v = total; });
  }, mask);
  return value;
}

struct Plus { template <class T> T operator()(T a, T b) const { return a + b; } };
struct Least { template <class T> T operator()(T a, T b) const { return b < a ? b : a; } };
struct Greatest { template <class T> T operator()(T a, T b) const { return a < b ? b : a; } };
struct BitAnd { template <class T> T operator()(T a, T b) const { return a & b; } };
struct BitOr { template <class T> T operator()(T a, T b) const { return a | b; } };
struct BitXor { template <class T> T operator()(T a, T b) const { return a ^ b; } };

constexpr uint32_t whoever_is_active = 0;

}  // namespace cudashim

#define SHUFFLE(NAME, INDEX_TYPE, SOURCE)                                                        \
  template <class T>                                                                             \
  inline T NAME##_sync(unsigned mask, T value, INDEX_TYPE index, int width = 32) {               \
    return ::cudashim::shuffle(mask, value, ::cudashim::SOURCE(index, width));                   \
  }                                                                                              \
  template <class T>                                                                             \
  inline T NAME(T value, INDEX_TYPE index, int width = 32) {                                     \
    return ::cudashim::shuffle(::cudashim::whoever_is_active, value, ::cudashim::SOURCE(index, width)); \
  }
SHUFFLE(__shfl, int, source_indexed)
SHUFFLE(__shfl_up, unsigned, source_up)
SHUFFLE(__shfl_down, unsigned, source_down)
SHUFFLE(__shfl_xor, int, source_xor)
#undef SHUFFLE

static inline unsigned __ballot_sync(unsigned mask, int predicate) { return ::cudashim::ballot(mask, predicate != 0); }
static inline int __any_sync(unsigned mask, int predicate) { return ::cudashim::ballot(mask, predicate != 0) != 0; }
static inline int __all_sync(unsigned mask, int predicate) { return ::cudashim::all_of(mask, predicate != 0); }
static inline int __uni_sync(unsigned mask, int predicate) {
  unsigned yes = ::cudashim::ballot(mask, predicate != 0);
  return yes == 0 || yes == mask;
}
static inline unsigned __ballot(int predicate) { return ::cudashim::ballot(::cudashim::whoever_is_active, predicate != 0); }
static inline int __any(int predicate) { return __ballot(predicate) != 0; }
static inline int __all(int predicate) { return __ballot(predicate == 0) == 0; }
static inline unsigned __activemask() { return ::engine::active_lanes(); }

template <class T> inline unsigned __match_any_sync(unsigned mask, T value) { return ::cudashim::match(mask, value); }
template <class T> inline unsigned __match_all_sync(unsigned mask, T value, int* predicate) {
  unsigned same = ::cudashim::match(mask, value);
  bool all = ::cudashim::all_of(mask, same == ::cudashim::ballot(mask, true));
  *predicate = all;
  return all ? mask : 0;
}

#define REDUCE(NAME, T, OP) \
  static inline T NAME(unsigned mask, T value) { return ::cudashim::reduce<T, ::cudashim::OP>(mask, value); }
REDUCE(__reduce_add_sync, unsigned, Plus)
REDUCE(__reduce_add_sync, int, Plus)
REDUCE(__reduce_min_sync, unsigned, Least)
REDUCE(__reduce_min_sync, int, Least)
REDUCE(__reduce_max_sync, unsigned, Greatest)
REDUCE(__reduce_max_sync, int, Greatest)
REDUCE(__reduce_and_sync, unsigned, BitAnd)
REDUCE(__reduce_or_sync, unsigned, BitOr)
REDUCE(__reduce_xor_sync, unsigned, BitXor)
#undef REDUCE
