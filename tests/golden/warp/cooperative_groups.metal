#include <metal_stdlib>
using namespace metal;

// support library: cu::this_thread_block, cu::tiled_partition, cu::thread_block, cu::thread_block_tile, cu::cg_reduce, cu::plus

[[kernel]] void tiles(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint thread_index_in_simdgroup [[thread_index_in_simdgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  auto block = cu::this_thread_block(thread_position_in_threadgroup, threadgroup_position_in_grid, threads_per_threadgroup, thread_index_in_simdgroup);
  auto tile = cu::tiled_partition<32>(block, thread_index_in_simdgroup);
  float v = x[block.thread_rank()];
  for (int i = tile.size() / 2; i > 0; i /= 2) v += tile.shfl_down(v, i);
  block.sync();
  if (tile.thread_rank() == 0) y[threadgroup_position_in_grid.x * tile.meta_group_size() + tile.meta_group_rank()] = v;
}

[[kernel]] void quarter(
    const device int* x [[buffer(0)]],
    device int* y [[buffer(1)]],
    uint thread_index_in_simdgroup [[thread_index_in_simdgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::thread_block block = cu::this_thread_block(thread_position_in_threadgroup, threadgroup_position_in_grid, threads_per_threadgroup, thread_index_in_simdgroup);
  cu::thread_block_tile<8> tile = cu::tiled_partition<8>(block, thread_index_in_simdgroup);
  int v = x[thread_position_in_threadgroup.x];
  int sum = cu::cg_reduce(tile, v, cu::plus<int>());
  int first = tile.shfl(v, 0);
  tile.sync();
  y[thread_position_in_threadgroup.x] = sum - first + tile.any(v > 3);
}
