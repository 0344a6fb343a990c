#include <metal_stdlib>
using namespace metal;

// support library: cu::BlockScan, cu::BLOCK_SCAN_RAKING_MEMOIZE, cu::Max, cu::Min, cu::BLOCK_SCAN_WARP_SCANS

struct RunningTotal {
  int total;
  RunningTotal(int start) : total(start) {}
  int operator()(int block_total) {
    int before = total;
    total += block_total;
    return before;
  }
};

// A first-order recurrence, which is a scan of linear maps, with the state carried from chunk to chunk.
struct LinearMap {
  float2 operator()(const thread float2& first, const thread float2& then) const {
    return float2(then.x * first.x, then.x * first.y + then.y);
  }
};

struct State {
  float2 running;
  State(float2 start) : running(start) {}
  float2 operator()(float2 chunk) thread {
    float2 before = running;
    running = LinearMap()(running, chunk);
    return before;
  }
};

[[kernel]] void offsets(
    const device int* counts [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* starts [[buffer(2)]],
    device int* total [[buffer(3)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  typedef cu::BlockScan<int, 128> BlockScan;
  threadgroup typename BlockScan::TempStorage temp;
  int i = thread_position_in_threadgroup.x, start, all;
  BlockScan(temp, thread_index_in_threadgroup).ExclusiveSum(i < n ? counts[i] : 0, start, all);
  if (i < n) starts[i] = start;
  if (i == 0) total[0] = all;
}

// Every form for one item, on a block that does not fill its last warp.
[[kernel]] void single(
    const device int* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* y [[buffer(2)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  using Scan = cu::BlockScan<int, 80, cu::BLOCK_SCAN_RAKING_MEMOIZE>;
  threadgroup Scan::TempStorage temp;
  Scan scan(temp, thread_index_in_threadgroup);
  int t = thread_position_in_threadgroup.x, v = x[t], out, all;
  scan.InclusiveSum(v, out);
  y[t] = out;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  scan.InclusiveSum(v, out, all);
  y[80 + t] = out + all;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  scan.ExclusiveSum(v, out);
  y[160 + t] = out;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  scan.InclusiveScan(v, out, cu::Max());
  y[240 + t] = out;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  scan.InclusiveScan(v, out, cu::Min(), all);
  y[320 + t] = out + all;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  scan.ExclusiveScan(v, out, -1000, cu::Max());
  y[400 + t] = out;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  scan.ExclusiveScan(v, out, -1000, cu::Max(), all);
  y[480 + t] = out + all;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  scan.ExclusiveScan(v, out, cu::Max(), all);
  y[560 + t] = t == 0 ? all : out;
}

// Several items a thread; the block has two dimensions.
[[kernel]] void items(
    const device int* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* y [[buffer(2)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  using Scan = cu::BlockScan<int, 32, cu::BLOCK_SCAN_WARP_SCANS, 3>;
  threadgroup typename Scan::TempStorage temp;
  int t = thread_position_in_threadgroup.y * 32 + thread_position_in_threadgroup.x, all;
  int in[2] = {x[2 * t], x[2 * t + 1]}, out[2];
  Scan(temp, thread_index_in_threadgroup).InclusiveSum(in, out, all);
  y[2 * t] = out[0];
  y[2 * t + 1] = out[1] + all;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  Scan(temp, thread_index_in_threadgroup).ExclusiveScan(in, out, 5, cu::Max(), all);
  y[192 + 2 * t] = out[0];
  y[192 + 2 * t + 1] = out[1] + all;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  Scan(temp, thread_index_in_threadgroup).ExclusiveSum(in, in);
  y[384 + 2 * t] = in[0];
  y[384 + 2 * t + 1] = in[1];
}

// A long row by one block: each tile starts where the tile before it ended.
[[kernel]] void long_row(
    const device int* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* y [[buffer(2)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  using Scan = cu::BlockScan<int, 64>;
  threadgroup typename Scan::TempStorage temp;
  RunningTotal prefix(0);
  for (int first = 0; first < n; first += 64) {
    int i = first + thread_position_in_threadgroup.x;
    int v = i < n ? x[i] : 0;
    Scan(temp, thread_index_in_threadgroup).InclusiveSum(v, v, prefix);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (i < n) y[i] = v;
  }
}

template <int ITEMS>
[[kernel]] void recurrence(
    const device float* decay [[buffer(0)]],
    const device float* input [[buffer(1)]],
    const constant int& length [[buffer(2)]],
    device float* states [[buffer(3)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
  using Scan = cu::BlockScan<float2, 32, cu::BLOCK_SCAN_WARP_SCANS>;
  threadgroup typename Scan::TempStorage smem_scan;
  threadgroup float2 carried;
  const int row = threadgroup_position_in_grid.x * length;
  for (int chunk = 0; chunk < length; chunk += 32 * ITEMS) {
    float2 maps[ITEMS];
    #pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
      int i = chunk + thread_position_in_threadgroup.x * ITEMS + k;
      maps[k] = i < length ? float2(decay[row + i] * 0.1f, input[row + i]) : float2(1.0f, 0.0f);
    }
    float2 start = chunk > 0 && thread_position_in_threadgroup.x % 32 == 0 ? carried : float2(1.0f, 0.0f);
    State prefix_op(start);
    Scan(smem_scan, thread_index_in_threadgroup).InclusiveScan(maps, maps, LinearMap(), prefix_op);
    if (thread_position_in_threadgroup.x == 0) carried = prefix_op.running;
    #pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
      int i = chunk + thread_position_in_threadgroup.x * ITEMS + k;
      if (i < length) states[row + i] = maps[k].y;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
}
