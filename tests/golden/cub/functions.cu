// CUB's small functions.
#include <cub/cub.cuh>

__global__ void places(const int* __restrict__ x, int* y, int n) {
  unsigned int lane = cub::LaneId(), warp = cub::WarpId();
  int value = cub::ThreadLoad<cub::LOAD_LDG>(x + threadIdx.x);
  cub::CTA_SYNC();
  y[threadIdx.x] = value + int(lane + 100 * warp);
}
void host_places(const int* x, int* y, int n) { places<<<1, 96>>>(x, y, n); }
