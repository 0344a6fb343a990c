// Collectives as programs use them: of records, as template parameters, two levels, in place.
#include <cub/cub.cuh>
#include <cuda_fp16.h>

template <typename Scan>
__device__ int scan_of(int v, typename Scan::TempStorage& temp) {
  int out;
  Scan(temp).InclusiveSum(v, out);
  return out;
}
__global__ void by_class(const int* x, int* y) {
  using Scan = cub::BlockScan<int, 64>;
  __shared__ Scan::TempStorage temp;
  y[threadIdx.x] = scan_of<Scan>(x[threadIdx.x], temp);
}
void host_by_class(const int* x, int* y) { by_class<<<1, 64>>>(x, y); }

// An operator that captures; sixteen bits.
__global__ void of_halves(const half* x, half* y, int n) {
  using Reduce = cub::BlockReduce<half, 64>;
  __shared__ Reduce::TempStorage temp;
  half v = Reduce(temp).Reduce(x[threadIdx.x], [=](half a, half b) { return n > 3 ? __hadd(a, b) : __hmax(a, b); });
  if (threadIdx.x == 0) y[0] = v;
}
void host_of_halves(const half* x, half* y, int n) { of_halves<<<1, 64>>>(x, y, n); }

// Mean and variance in one pass.
struct Moments {
  float mean, squares, count;
};
struct Combine {
  __device__ Moments operator()(const Moments& a, const Moments& b) const {
    float delta = b.mean - a.mean, count = a.count + b.count;
    Moments r;
    r.mean = count > 0.0f ? a.mean + delta * b.count / count : 0.0f;
    r.squares = a.squares + b.squares + (count > 0.0f ? delta * delta * a.count * b.count / count : 0.0f);
    r.count = count;
    return r;
  }
};
__global__ void moments(const float* x, float* y, int n) {
  using Reduce = cub::BlockReduce<Moments, 128>;
  __shared__ Reduce::TempStorage temp;
  Moments all = {0.0f, 0.0f, 0.0f};
  for (int i = threadIdx.x; i < n; i += 128) {
    Moments one = {x[blockIdx.x * n + i], 0.0f, 1.0f};
    all = Combine()(all, one);
  }
  all = Reduce(temp).Reduce(all, Combine());
  if (threadIdx.x == 0) {
    y[2 * blockIdx.x] = all.mean;
    y[2 * blockIdx.x + 1] = all.squares / all.count;
  }
}
void host_moments(const float* x, float* y, int rows, int n) { moments<<<rows, 128>>>(x, y, n); }

// Warps first, then one warp over their sums.
__global__ void two_levels(const float* x, float* y, int n) {
  using WarpReduce = cub::WarpReduce<float>;
  __shared__ typename WarpReduce::TempStorage temp[4];
  __shared__ float warp_sums[4];
  const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
  float sum = WarpReduce(temp[warp]).Sum(threadIdx.x < n ? x[threadIdx.x] : 0.0f);
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    float total = lane < 4 ? warp_sums[lane] : 0.0f;
    total = WarpReduce(temp[0]).Reduce(total, cub::Sum(), 4);
    if (lane == 0) y[0] = total;
  }
}
void host_two_levels(const float* x, float* y, int n) { two_levels<<<1, 128>>>(x, y, n); }

// The buffer is read and written.
__global__ void sort_in_place(int* x, int n) {
  using Load = cub::BlockLoad<int, 64, 2, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, 64, 2, cub::BLOCK_STORE_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<int, 64, 2>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Sort::TempStorage sort;
  } temp;
  int keys[2];
  Load(temp.load).Load(x, keys, n, 2147483647);
  __syncthreads();
  Sort(temp.sort).Sort(keys);
  __syncthreads();
  Store(temp.store).Store(x, keys, n);
}
void host_sort_in_place(int* x, int n) { sort_in_place<<<1, 64>>>(x, n); }
