// One thread of a group calls; and names of cooperative groups that nobody knows.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void one_calls(const float *x, float *y, int *count, int n) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cg::invoke_one(tile, [&] { atomicAdd(count, 1); });
  cg::invoke_one(tile, [&](int by) { atomicAdd(count, by); }, 2);
  int first = cg::invoke_one_broadcast(tile, [&]() -> int { return i; });
  if (i < n) y[i] = x[i] + first;
}
void host(const float *x, float *y, int *count, int n) { one_calls<<<(n + 127) / 128, 128>>>(x, y, count, n); }

__global__ void unknown(int *y) {
  cg::bulk_group group = cg::this_thread_block();  // error: CU2001
  y[threadIdx.x] = cg::elected(group);  // error: CU2001
}
