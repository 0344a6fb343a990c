#include <metal_stdlib>
using namespace metal;

// support library: cu::BlockReduce, cu::BlockScan

template <int N>
struct Summer {
  using Reduce = cu::BlockReduce<float, N>;
  using TempStorage = typename Reduce::TempStorage;
  threadgroup TempStorage& temp;
  int thread_;
  Summer(uint3 thread_position_in_threadgroup, threadgroup TempStorage& storage) : temp(storage), thread_(thread_position_in_threadgroup.x) {}
  float sum(uint thread_index_in_threadgroup, float v) { return Reduce(temp, thread_index_in_threadgroup).Sum(v); }
  float operator()(uint thread_index_in_threadgroup, float v) const {
    float total = Reduce(this->temp, thread_index_in_threadgroup).Sum(v);
    return thread_ == 0 ? total : 0.0f;
  }
};

// Two stages in one union.
struct Ranks {
  typedef cu::BlockReduce<int, 48> Reduce;
  typedef cu::BlockScan<int, 48> Scan;
  union TempStorage {
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
  };
  threadgroup TempStorage& temp;
  Ranks(threadgroup TempStorage& storage) : temp(storage) {}
  int run(uint thread_index_in_threadgroup, int v, thread int& rank) {
    int total = Reduce(temp.reduce, thread_index_in_threadgroup).Sum(v);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    Scan(temp.scan, thread_index_in_threadgroup).ExclusiveSum(v, rank);
    return total;
  }
};

// References to variables of the thread's own.
struct Slots {
  thread float (&slots)[4];
  thread int& count;
  void add(int i, float v) {
    slots[i] += v;
    count++;
  }
};

template <int N>
[[kernel]] void sums(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  threadgroup typename Summer<N>::TempStorage temp;
  Summer<N> summer(thread_position_in_threadgroup, temp);
  float a = summer.sum(thread_index_in_threadgroup, x[thread_position_in_threadgroup.x]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float b = summer(thread_index_in_threadgroup, 2.0f * x[thread_position_in_threadgroup.x]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float c = Summer<N>(thread_position_in_threadgroup, temp).sum(thread_index_in_threadgroup, 1.0f);
  if (thread_position_in_threadgroup.x == 0) {
    y[0] = a;
    y[1] = b;
    y[2] = c;
  }
}

[[kernel]] void ranks(
    const device int* x [[buffer(0)]],
    device int* y [[buffer(1)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  threadgroup Ranks::TempStorage temp;
  int rank, total = Ranks(temp).run(thread_index_in_threadgroup, x[thread_position_in_threadgroup.x], rank);
  y[thread_position_in_threadgroup.x] = rank;
  if (thread_position_in_threadgroup.x == 0) y[48] = total;
}

[[kernel]] void slots(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]]) {
  float local[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  int count = 0;
  Slots all{local, count};
  all.add(1, x[0]);
  all.add(2, x[1]);
  y[0] = local[1] + local[2] + count;
}
