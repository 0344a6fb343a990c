#include <metal_stdlib>
using namespace metal;

// support library: cu::BlockReduce

[[kernel]] void total(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
  using Reduce = cu::BlockReduce<float, 64>;
  threadgroup typename Reduce::TempStorage storage;
  float sum = Reduce(storage, thread_index_in_threadgroup).Sum(x[threadgroup_position_in_grid.x * 64 + thread_position_in_threadgroup.x]);
  if (thread_position_in_threadgroup.x == 0) y[threadgroup_position_in_grid.x] = sum;
}
