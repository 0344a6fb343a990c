#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

// A shuffle from lane - 1 in a divergent branch, and a reduction over a block of 45 threads.
__global__ void previous(const int* x, int* y) {
  int lane = threadIdx.x % 32;
  int v = x[threadIdx.x];
  if (lane < 20) {
    int p = __shfl_sync(0xfffffu, v, lane - 1);
    v = lane > 0 ? v - p : v;
  }
  y[threadIdx.x] = v;
}

__global__ void sum45(const float* x, float* y) {
  __shared__ float s[2];
  float v = x[threadIdx.x];
  unsigned int mask = __ballot_sync(0xffffffffu, threadIdx.x < 45);
  for (int offset = 16; offset > 0; offset /= 2) {
    float other = __shfl_down_sync(mask, v, offset);
    if (threadIdx.x + offset < 45) v += other;
  }
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) y[0] = s[0] + s[1];
}

// Two groups of one warp, each in its own branch: neither reads a lane of the other.
__global__ void branches(const int* x, int* y, int* z) {
  int v = x[threadIdx.x];
  y[threadIdx.x] = -1;
  if (v & 1) {
    cg::coalesced_group odd = cg::coalesced_threads();
    y[threadIdx.x] = cg::reduce(odd, v, cg::plus<int>()) + cg::exclusive_scan(odd, v);
    z[threadIdx.x] = odd.match_any(v & 6);
  } else {
    cg::coalesced_group even = cg::coalesced_threads();
    y[threadIdx.x] = even.shfl_up(v, 1) + cg::reduce(even, v, cg::less<int>());
    z[threadIdx.x] = even.thread_rank() + even.ballot(v > 7);
  }
}

void launch(const int* x, int* y, int* z) {
  branches<<<1, 96>>>(x, y, z);
}

void launch(const float* x, float* y) {
  sum45<<<1, 45>>>(x, y);
}
