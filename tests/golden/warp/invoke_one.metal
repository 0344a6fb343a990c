#include <metal_stdlib>
using namespace metal;

// support library: cu::tiled_partition, cu::this_thread_block, cu::invoke_one, cu::atomic_add, cu::invoke_one_broadcast

[[kernel]] void one_calls(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    device int* count [[buffer(3)]],
    uint thread_index_in_simdgroup [[thread_index_in_simdgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  auto tile = cu::tiled_partition<32>(cu::this_thread_block(thread_position_in_threadgroup, threadgroup_position_in_grid, threads_per_threadgroup, thread_index_in_simdgroup), thread_index_in_simdgroup);
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  cu::invoke_one(tile, [&] { cu::atomic_add(count, 1); });
  cu::invoke_one(tile, [&](int by) { cu::atomic_add(count, by); }, 2);
  int first = cu::invoke_one_broadcast(tile, [&]() -> int { return i; });
  if (i < n) y[i] = x[i] + first;
}
