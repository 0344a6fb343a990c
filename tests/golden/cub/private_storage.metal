#include <metal_stdlib>
using namespace metal;

// support library: cu::BlockReduce, cu::Max, cu::BlockScan

inline float total(threadgroup typename cu::BlockReduce<float, 64>::TempStorage& total_private_storage, uint thread_index_in_threadgroup, float v) { return cu::BlockReduce<float, 64>(total_private_storage, thread_index_in_threadgroup).Sum(v); }

template <typename T, int N>
inline T most(threadgroup typename cu::BlockReduce<T, N>::TempStorage& most_private_storage, uint thread_index_in_threadgroup, T v) {
  using Reduce = cu::BlockReduce<T, N>;
  Reduce reduce(most_private_storage, thread_index_in_threadgroup);
  return reduce.Reduce(v, cu::Max());
}

[[kernel]] void without(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  threadgroup typename cu::BlockReduce<float, 64>::TempStorage without_private_storage;
  threadgroup typename cu::BlockScan<float, 64>::TempStorage without_private_storage_2;
  threadgroup typename cu::BlockReduce<float, 64>::TempStorage total_private_storage;
  threadgroup typename cu::BlockReduce<float, 64>::TempStorage most_private_storage;
  threadgroup typename cu::BlockReduce<int, 64>::TempStorage most_private_storage_2;
  float v = x[thread_position_in_threadgroup.x];
  float s = cu::BlockReduce<float, 64>(without_private_storage, thread_index_in_threadgroup).Sum(v);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  typedef cu::BlockScan<float, 64> Scan;
  float o;
  Scan(without_private_storage_2, thread_index_in_threadgroup).InclusiveSum(v, o);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  Scan(without_private_storage_2, thread_index_in_threadgroup).ExclusiveSum(v, v);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float t = total(total_private_storage, thread_index_in_threadgroup, o);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float m = most<float, 64>(most_private_storage, thread_index_in_threadgroup, o);
  int k = most<int, 64>(most_private_storage_2, thread_index_in_threadgroup, thread_position_in_threadgroup.x);
  y[thread_position_in_threadgroup.x] = o + v;
  if (thread_position_in_threadgroup.x == 0) {
    y[64] = s;
    y[65] = t;
    y[66] = m;
    y[67] = k;
  }
}
