#include <metal_stdlib>
using namespace metal;

// support library: cu::BlockReduce

template <typename T> struct Negate { T operator()(const device T& x) const { return -x; } };

template <typename T> struct Larger { T operator()(const thread T& a, const thread T& b) const { return a < b ? b : a; }
T operator()(const threadgroup T& a, const threadgroup T& b) const { return a < b ? b : a; } };

template <int Threads, typename T, typename Combine> struct BlockFold {
  struct Storage { T values[Threads]; };
  static T fold(int thread_, T x, threadgroup Storage& storage, Combine combine) {
    storage.values[thread_] = x;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (int offset = Threads / 2; offset > 0; offset /= 2) {
      if (thread_ < offset) storage.values[thread_] = combine(storage.values[thread_], storage.values[thread_ + offset]);
      threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    return storage.values[0];
  }
};

template <typename Map, typename T>
inline T mapped(const thread Map& map, const device T* x, int i) { return map(x[i]); }

template <int Threads, typename T>
[[kernel]] void fold_rows(
    const device T* x [[buffer(0)]],
    const constant int& columns [[buffer(1)]],
    const device bool* idle [[buffer(2)]],
    device T* y [[buffer(3)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
  using Map = Negate<float>;
  using Combine = Larger<float>;
  Map map;
  Combine combine;
  typedef BlockFold<Threads, T, Combine> Fold;
  threadgroup typename Fold::Storage storage;
  if (idle[threadgroup_position_in_grid.x]) return;
  T folded = map(x[threadgroup_position_in_grid.x * columns]);
  for (int i = thread_position_in_threadgroup.x; i < columns; i += Threads) {
    folded = combine(folded, mapped(map, x + threadgroup_position_in_grid.x * columns, i));
  }
  folded = Fold::fold(thread_position_in_threadgroup.x, folded, storage, combine);
  typedef cu::BlockReduce<T, Threads> Sum;
  threadgroup typename Sum::TempStorage sum_storage;
  const auto total = Sum(sum_storage, thread_index_in_threadgroup).Sum(folded);
  if (thread_position_in_threadgroup.x == 0) y[threadgroup_position_in_grid.x] = folded + total;
}
