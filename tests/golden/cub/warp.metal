#include <metal_stdlib>
using namespace metal;

// support library: cu::WarpReduce, cu::Max, cu::Min, cu::WarpScan

[[kernel]] void warp_sums(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* sums [[buffer(2)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
  using WarpReduce = cu::WarpReduce<float>;
  threadgroup typename WarpReduce::TempStorage temp[4];
  int warp = thread_position_in_threadgroup.x / 32, i = threadgroup_position_in_grid.x * 128 + thread_position_in_threadgroup.x;
  float total = WarpReduce(temp[warp], thread_index_in_threadgroup).Sum(i < n ? x[i] : 0.0f);
  if (thread_position_in_threadgroup.x % 32 == 0) sums[threadgroup_position_in_grid.x * 4 + warp] = total;
}

[[kernel]] void reductions(
    const device int* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* y [[buffer(2)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  using Reduce = cu::WarpReduce<int, 16>;
  threadgroup Reduce::TempStorage temp[4];
  int t = thread_position_in_threadgroup.x;
  Reduce reduce(temp[t / 16], thread_index_in_threadgroup);
  int most = reduce.Reduce(x[t], cu::Max());
  int some = reduce.Sum(x[t], 11);
  int few = reduce.Reduce(x[t], cu::Min(), 5);
  int by_head = reduce.HeadSegmentedSum(x[t], t % 5 == 0);
  int by_tail = reduce.TailSegmentedReduce(x[t], t % 7 == 3, cu::Max());
  bool first = t % 16 == 0;
  y[t] = first ? most : 0;
  y[64 + t] = first ? some : 0;
  y[128 + t] = first ? few : 0;
  y[192 + t] = first || t % 5 == 0 ? by_head : 0;
  y[256 + t] = first || (t - 1) % 7 == 3 ? by_tail : 0;
}

[[kernel]] void scans(
    const device int* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* y [[buffer(2)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  typedef cu::WarpScan<int, 8> Scan;
  threadgroup typename Scan::TempStorage temp[64 / 8];
  int t = thread_position_in_threadgroup.x, out, other, all;
  Scan scan(temp[t / 8], thread_index_in_threadgroup);
  scan.InclusiveSum(x[t], out);
  y[t] = out;
  scan.InclusiveSum(x[t], out, all);
  y[64 + t] = all;
  scan.ExclusiveSum(x[t], out);
  y[128 + t] = out;
  scan.ExclusiveSum(x[t], out, all);
  y[192 + t] = out + all;
  scan.InclusiveScan(x[t], out, cu::Max(), all);
  y[256 + t] = out + all;
  scan.ExclusiveScan(x[t], out, -7, cu::Max());
  y[320 + t] = out;
  scan.ExclusiveScan(x[t], out, -7, cu::Max(), all);
  y[384 + t] = out + all;
  scan.Sum(x[t], out, other);
  y[448 + t] = out - other;
  y[512 + t] = scan.Broadcast(x[t], 3);
}
