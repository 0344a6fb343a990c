// Collectives over cooperative groups of one warp: reduce, scans, memcpy_async.
#pragma once
#include "groups.h"

namespace cooperative_groups {

template <class T> struct plus { T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { T operator()(T a, T b) const { return a ^ b; } };

namespace detail {

// A lane's share of a collective with an operator that may carry state.
template <class T, class Op>
struct Lane {
  T value;
  const Op* op;
  bool inclusive;
};

// A tree of exchanges with partners rank ^ n/2 … rank ^ 1, as a tile's shuffles would do it; in rank order when
// the number of lanes is no power of two.
template <class T, class Op>
inline void reduce_lanes(void* const* lanes, uint32_t active) {
  Lane<T, Op>* members[32];
  int count = 0;
  cudashim::for_each_lane<Lane<T, Op>>(lanes, active, [&](int, Lane<T, Op>& lane) { members[count++] = &lane; });
  if ((count & (count - 1)) != 0) {
    T total = members[0]->value;
    for (int i = 1; i < count; ++i) total = (*members[0]->op)(total, members[i]->value);
    for (int i = 0; i < count; ++i) members[i]->value = total;
    return;
  }
  for (int step = count / 2; step > 0; step /= 2) {
    for (int i = 0; i < count; ++i) {
      if (i & step) continue;
      T low = members[i]->value, high = members[i ^ step]->value;
      members[i]->value = (*members[i]->op)(low, high);
      members[i ^ step]->value = (*members[i]->op)(high, low);
    }
  }
}

template <class T, class Op>
inline void scan_lanes(void* const* lanes, uint32_t active) {
  bool first = true;
  T total{};
  cudashim::for_each_lane<Lane<T, Op>>(lanes, active, [&](int, Lane<T, Op>& lane) {
    T before = total;
    total = first ? lane.value : T((*lane.op)(total, lane.value));
    lane.value = lane.inclusive ? total : first ? T{} : before;
    first = false;
  });
}

}  // namespace detail

template <class Group, class T, class Op>
inline T reduce(const Group& group, T value, Op op) {
  detail::Lane<T, Op> mine{value, &op, true};
  engine::collective(&mine, detail::reduce_lanes<T, Op>, group.lanes());
  return mine.value;
}
template <class Group, class T, class Op = plus<T>>
inline T inclusive_scan(const Group& group, T value, Op op = Op()) {
  detail::Lane<T, Op> mine{value, &op, true};
  engine::collective(&mine, detail::scan_lanes<T, Op>, group.lanes());
  return mine.value;
}
// The first thread gets T{}.
template <class Group, class T, class Op = plus<T>>
inline T exclusive_scan(const Group& group, T value, Op op = Op()) {
  detail::Lane<T, Op> mine{value, &op, false};
  engine::collective(&mine, detail::scan_lanes<T, Op>, group.lanes());
  return mine.value;
}
template <class Group, class T, class U, class Op>
inline void reduce_update_async(const Group& group, T& target, U value, Op op) {
  U total = reduce(group, value, op);
  if (group.thread_rank() == 0) cudashim::atomic_update(&target, [&](T old) { return T(op(old, T(total))); });
}

// The copy is done at once by all threads of the group; wait() is the barrier that makes it visible.
template <class Group, class T, class S, class Size>
inline void memcpy_async(const Group& group, T* target, const S* source, Size bytes) {
  const unsigned char* from = reinterpret_cast<const unsigned char*>(source);
  unsigned char* to = reinterpret_cast<unsigned char*>(target);
  for (size_t i = group.thread_rank(); i < size_t(bytes); i += group.size()) to[i] = from[i];
}
template <class Group> inline void wait(const Group& group) { group.sync(); }
template <unsigned N, class Group> inline void wait_prior(const Group& group) { group.sync(); }

template <class Group, class F, class... Args>
inline void invoke_one(const Group& group, F&& f, Args&&... args) {
  if (group.thread_rank() == 0) f(args...);
}
template <class Group, class F, class... Args>
inline auto invoke_one_broadcast(const Group& group, F&& f, Args&&... args) {
  decltype(f(args...)) returned{};
  if (group.thread_rank() == 0) returned = f(args...);
  return group.shfl(returned, 0);
}

}  // namespace cooperative_groups
