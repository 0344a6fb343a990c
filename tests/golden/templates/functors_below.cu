// Functors that go down into helpers and class templates: their operators take what lies in each memory.
#include <cub/block/block_reduce.cuh>

namespace op {
template <typename T> struct Negate { __device__ T operator()(const T& x) const { return -x; } };
template <typename T> struct Larger { __device__ T operator()(const T& a, const T& b) const { return a < b ? b : a; } };
}  // namespace op

template <int Threads, typename T, typename Combine> struct BlockFold {
  struct Storage { T values[Threads]; };
  __device__ static T fold(int thread, T x, Storage& storage, Combine combine) {
    storage.values[thread] = x;
    __syncthreads();
    for (int offset = Threads / 2; offset > 0; offset /= 2) {
      if (thread < offset) storage.values[thread] = combine(storage.values[thread], storage.values[thread + offset]);
      __syncthreads();
    }
    return storage.values[0];
  }
};

template <typename Map, typename T> __device__ T mapped(const Map& map, const T* x, int i) { return map(x[i]); }

template <int Threads, typename Map, typename Combine, typename T>
__global__ void fold_rows(Map map, Combine combine, const T* x, T* y, int columns, const bool* idle) {
  typedef BlockFold<Threads, T, Combine> Fold;
  __shared__ typename Fold::Storage storage;
  if (idle[blockIdx.x]) return;
  T folded = map(x[blockIdx.x * columns]);
  for (int i = threadIdx.x; i < columns; i += Threads) {
    folded = combine(folded, mapped(map, x + blockIdx.x * columns, i));
  }
  folded = Fold::fold(threadIdx.x, folded, storage, combine);
  typedef cub::BlockReduce<T, Threads> Sum;
  __shared__ typename Sum::TempStorage sum_storage;
  const auto total = Sum(sum_storage).Sum(folded);
  if (threadIdx.x == 0) y[blockIdx.x] = folded + total;
}

void run(const float* x, float* y, int rows, int columns, const bool* idle) {
  fold_rows<64><<<rows, 64>>>(op::Negate<float>(), op::Larger<float>(), x, y, columns, idle);
}
