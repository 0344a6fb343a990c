#include <metal_stdlib>
using namespace metal;

// support library: cu::BlockScan, cu::BlockReduce, cu::WarpReduce, cu::Sum, cu::inout_ptr, cu::inout, cu::BlockLoad, cu::BLOCK_LOAD_TRANSPOSE, cu::BlockStore, cu::BLOCK_STORE_TRANSPOSE, cu::BlockRadixSort

template <typename Scan>
inline int scan_of(uint thread_index_in_threadgroup, int v, threadgroup typename Scan::TempStorage& temp) {
  int out;
  Scan(temp, thread_index_in_threadgroup).InclusiveSum(v, out);
  return out;
}

// Mean and variance in one pass.
struct Moments {
  float mean, squares, count;
};

struct Combine {
  Moments operator()(const thread Moments& a, const thread Moments& b) const {
    float delta = b.mean - a.mean, count = a.count + b.count;
    Moments r;
    r.mean = count > 0.0f ? a.mean + delta * b.count / count : 0.0f;
    r.squares = a.squares + b.squares + (count > 0.0f ? delta * delta * a.count * b.count / count : 0.0f);
    r.count = count;
    return r;
  }
};

[[kernel]] void by_class(
    const device int* x [[buffer(0)]],
    device int* y [[buffer(1)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  using Scan = cu::BlockScan<int, 64>;
  threadgroup Scan::TempStorage temp;
  y[thread_position_in_threadgroup.x] = scan_of<Scan>(thread_index_in_threadgroup, x[thread_position_in_threadgroup.x], temp);
}

// An operator that captures; sixteen bits.
[[kernel]] void of_halves(
    const device half* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device half* y [[buffer(2)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  using Reduce = cu::BlockReduce<half, 64>;
  threadgroup Reduce::TempStorage temp;
  half v = Reduce(temp, thread_index_in_threadgroup).Reduce(x[thread_position_in_threadgroup.x], [=](half a, half b) { return n > 3 ? (a + b) : fmax(a, b); });
  if (thread_position_in_threadgroup.x == 0) y[0] = v;
}

[[kernel]] void moments(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
  using Reduce = cu::BlockReduce<Moments, 128>;
  threadgroup Reduce::TempStorage temp;
  Moments all = {0.0f, 0.0f, 0.0f};
  for (int i = thread_position_in_threadgroup.x; i < n; i += 128) {
    Moments one = {x[threadgroup_position_in_grid.x * n + i], 0.0f, 1.0f};
    all = Combine()(all, one);
  }
  all = Reduce(temp, thread_index_in_threadgroup).Reduce(all, Combine());
  if (thread_position_in_threadgroup.x == 0) {
    y[2 * threadgroup_position_in_grid.x] = all.mean;
    y[2 * threadgroup_position_in_grid.x + 1] = all.squares / all.count;
  }
}

// Warps first, then one warp over their sums.
[[kernel]] void two_levels(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  using WarpReduce = cu::WarpReduce<float>;
  threadgroup typename WarpReduce::TempStorage temp[4];
  threadgroup float warp_sums[4];
  const int warp = thread_position_in_threadgroup.x >> 5, lane = thread_position_in_threadgroup.x & 31;
  float sum = WarpReduce(temp[warp], thread_index_in_threadgroup).Sum(thread_position_in_threadgroup.x < n ? x[thread_position_in_threadgroup.x] : 0.0f);
  if (lane == 0) warp_sums[warp] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (warp == 0) {
    float total = lane < 4 ? warp_sums[lane] : 0.0f;
    total = WarpReduce(temp[0], thread_index_in_threadgroup).Reduce(total, cu::Sum(), 4);
    if (lane == 0) y[0] = total;
  }
}

// The buffer is read and written.
[[kernel]] void sort_in_place(
    const device int* x_in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device uint* x_delta [[buffer(2)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]]) {
  cu::inout_ptr<int> x = cu::inout<int>(x_in, x_delta);
  using Load = cu::BlockLoad<int, 64, 2, cu::BLOCK_LOAD_TRANSPOSE>;
  using Store = cu::BlockStore<int, 64, 2, cu::BLOCK_STORE_TRANSPOSE>;
  using Sort = cu::BlockRadixSort<int, 64, 2>;
  threadgroup union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Sort::TempStorage sort;
  } temp;
  int keys[2];
  Load(temp.load, thread_index_in_threadgroup).Load(x, keys, n, 2147483647);
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  Sort(temp.sort, thread_index_in_threadgroup).Sort(keys);
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  Store(temp.store, thread_index_in_threadgroup).Store(x, keys, n);
}
