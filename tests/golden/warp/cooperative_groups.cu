// Tiles of a block: auto, explicit, reductions.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void tiles(const float* x, float* y) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  float v = x[block.thread_rank()];
  for (int i = tile.size() / 2; i > 0; i /= 2) v += tile.shfl_down(v, i);
  block.sync();
  if (tile.thread_rank() == 0) y[blockIdx.x * tile.meta_group_size() + tile.meta_group_rank()] = v;
}

__global__ void quarter(const int* x, int* y) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  int v = x[threadIdx.x];
  int sum = cg::reduce(tile, v, cg::plus<int>());
  int first = tile.shfl(v, 0);
  tile.sync();
  y[threadIdx.x] = sum - first + tile.any(v > 3);
}
