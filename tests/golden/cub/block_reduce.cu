// cub::BlockReduce: sums, operators, guarded tails, items, two-dimensional blocks.
#include <cub/block/block_reduce.cuh>

constexpr int THREADS = 96;

struct Farther {
  __device__ __forceinline__ float operator()(const float& a, const float& b) const {
    return fabsf(a) > fabsf(b) ? a : b;
  }
};

__global__ void block_sums(const float* x, float* sums, int n) {
  typedef cub::BlockReduce<float, THREADS> BlockReduce;
  __shared__ typename BlockReduce::TempStorage temp_storage;
  int i = blockIdx.x * THREADS + threadIdx.x;
  float total = BlockReduce(temp_storage).Sum(i < n ? x[i] : 0.0f);
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}
void host_sums(const float* x, float* sums, int n) {
  block_sums<<<(n + THREADS - 1) / THREADS, THREADS>>>(x, sums, n);
}

// Every form, one after the other on the same storage.
__global__ void extremes(const int* x, int* result, int n) {
  using Reduce = cub::BlockReduce<int, 80, cub::BLOCK_REDUCE_RAKING>;
  __shared__ Reduce::TempStorage temp;
  int items[3] = {x[threadIdx.x * 3], x[threadIdx.x * 3 + 1], x[threadIdx.x * 3 + 2]};
  Reduce reduce(temp);
  int largest = reduce.Reduce(items, cub::Max());
  __syncthreads();
  int smallest = reduce.Reduce(items[0], cub::Min());
  __syncthreads();
  int some = Reduce(temp).Sum(items[1], n);
  __syncthreads();
  int all = Reduce{temp}.Sum(items);
  __syncthreads();
  int folded = Reduce(temp).Reduce(items[2], [](int a, int b) { return a ^ b; }, 77);
  if (threadIdx.x == 0) {
    result[0] = largest;
    result[1] = smallest;
    result[2] = some;
    result[3] = all;
    result[4] = folded;
  }
}
void host_extremes(const int* x, int* result, int n) { extremes<<<1, 80>>>(x, result, n); }

// Storage in an inner block, which is the kernel's; a block of two dimensions; an operator of the user's own.
__global__ void farthest(const float* x, float* result, int n) {
  float found = 0.0f;
  if (n > 0) {
    typedef cub::BlockReduce<float, 16, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 6> Reduce;
    __shared__ typename Reduce::TempStorage temp;
    found = Reduce(temp).Reduce(x[threadIdx.y * 16 + threadIdx.x], Farther());
  }
  if (threadIdx.x == 0 && threadIdx.y == 0) result[0] = found;
}
void host_farthest(const float* x, float* result, int n) { farthest<<<1, dim3(16, 6)>>>(x, result, n); }

// Index and value together.
__global__ void arg_max(const float* x, float* values, int* places, int n) {
  using Pair = cub::KeyValuePair<int, float>;
  using Reduce = cub::BlockReduce<Pair, 64>;
  __shared__ Reduce::TempStorage temp;
  Pair mine;
  mine.key = threadIdx.x;
  mine.value = x[threadIdx.x];
  Pair best = Reduce(temp).Reduce(mine, cub::ArgMax());
  if (threadIdx.x == 0) {
    values[0] = best.value;
    places[0] = best.key;
  }
}
void host_arg_max(const float* x, float* values, int* places, int n) { arg_max<<<1, 64>>>(x, values, places, n); }
