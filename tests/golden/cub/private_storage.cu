// Objects made without storage: each class has one of its own in every function.
#include <cub/cub.cuh>

__device__ float total(float v) { return cub::BlockReduce<float, 64>().Sum(v); }
template <typename T, int N>
__device__ T most(T v) {
  using Reduce = cub::BlockReduce<T, N>;
  Reduce reduce;
  return reduce.Reduce(v, cub::Max());
}
__global__ void without(const float* x, float* y, int n) {
  float v = x[threadIdx.x];
  float s = cub::BlockReduce<float, 64>().Sum(v);
  __syncthreads();
  typedef cub::BlockScan<float, 64> Scan;
  float o;
  Scan().InclusiveSum(v, o);
  __syncthreads();
  Scan{}.ExclusiveSum(v, v);
  __syncthreads();
  float t = total(o);
  __syncthreads();
  float m = most<float, 64>(o);
  int k = most<int, 64>(threadIdx.x);
  y[threadIdx.x] = o + v;
  if (threadIdx.x == 0) {
    y[64] = s;
    y[65] = t;
    y[66] = m;
    y[67] = k;
  }
}
void host_without(const float* x, float* y, int n) { without<<<1, 64>>>(x, y, n); }
template <int N>
