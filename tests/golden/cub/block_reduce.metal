#include <metal_stdlib>
using namespace metal;

// support library: cu::BlockReduce, cu::BLOCK_REDUCE_RAKING, cu::Max, cu::Min, cu::BLOCK_REDUCE_WARP_REDUCTIONS, cu::KeyValuePair, cu::ArgMax

constexpr constant int THREADS = 96;

struct Farther {
  float operator()(const thread float& a, const thread float& b) const {
    return fabs(a) > fabs(b) ? a : b;
  }
};

[[kernel]] void block_sums(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* sums [[buffer(2)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
  typedef cu::BlockReduce<float, THREADS> BlockReduce;
  threadgroup typename BlockReduce::TempStorage temp_storage;
  int i = threadgroup_position_in_grid.x * THREADS + thread_position_in_threadgroup.x;
  float total = BlockReduce(temp_storage, thread_index_in_threadgroup).Sum(i < n ? x[i] : 0.0f);
  if (thread_position_in_threadgroup.x == 0) sums[threadgroup_position_in_grid.x] = total;
}

// Every form, one after the other on the same storage.
[[kernel]] void extremes(
    const device int* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* result [[buffer(2)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  using Reduce = cu::BlockReduce<int, 80, cu::BLOCK_REDUCE_RAKING>;
  threadgroup Reduce::TempStorage temp;
  int items[3] = {x[thread_position_in_threadgroup.x * 3], x[thread_position_in_threadgroup.x * 3 + 1], x[thread_position_in_threadgroup.x * 3 + 2]};
  Reduce reduce(temp, thread_index_in_threadgroup);
  int largest = reduce.Reduce(items, cu::Max());
  threadgroup_barrier(mem_flags::mem_threadgroup);
  int smallest = reduce.Reduce(items[0], cu::Min());
  threadgroup_barrier(mem_flags::mem_threadgroup);
  int some = Reduce(temp, thread_index_in_threadgroup).Sum(items[1], n);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  int all = Reduce(temp, thread_index_in_threadgroup).Sum(items);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  int folded = Reduce(temp, thread_index_in_threadgroup).Reduce(items[2], [](int a, int b) { return a ^ b; }, 77);
  if (thread_position_in_threadgroup.x == 0) {
    result[0] = largest;
    result[1] = smallest;
    result[2] = some;
    result[3] = all;
    result[4] = folded;
  }
}

// Storage in an inner block, which is the kernel's; a block of two dimensions; an operator of the user's own.
[[kernel]] void farthest(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* result [[buffer(2)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  threadgroup typename cu::BlockReduce<float, 16, cu::BLOCK_REDUCE_WARP_REDUCTIONS, 6>::TempStorage temp;
  float found = 0.0f;
  if (n > 0) {
    typedef cu::BlockReduce<float, 16, cu::BLOCK_REDUCE_WARP_REDUCTIONS, 6> Reduce;
    found = Reduce(temp, thread_index_in_threadgroup).Reduce(x[thread_position_in_threadgroup.y * 16 + thread_position_in_threadgroup.x], Farther());
  }
  if (thread_position_in_threadgroup.x == 0 && thread_position_in_threadgroup.y == 0) result[0] = found;
}

// Index and value together.
[[kernel]] void arg_max(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* values [[buffer(2)]],
    device int* places [[buffer(3)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  using Pair = cu::KeyValuePair<int, float>;
  using Reduce = cu::BlockReduce<Pair, 64>;
  threadgroup Reduce::TempStorage temp;
  Pair mine;
  mine.key = thread_position_in_threadgroup.x;
  mine.value = x[thread_position_in_threadgroup.x];
  Pair best = Reduce(temp, thread_index_in_threadgroup).Reduce(mine, cu::ArgMax());
  if (thread_position_in_threadgroup.x == 0) {
    values[0] = best.value;
    places[0] = best.key;
  }
}
