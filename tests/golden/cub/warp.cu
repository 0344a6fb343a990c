// cub::WarpReduce and cub::WarpScan over whole and logical warps.
#include <cub/cub.cuh>

__global__ void warp_sums(const float* x, float* sums, int n) {
  using WarpReduce = cub::WarpReduce<float>;
  __shared__ typename WarpReduce::TempStorage temp[4];
  int warp = threadIdx.x / 32, i = blockIdx.x * 128 + threadIdx.x;
  float total = WarpReduce(temp[warp]).Sum(i < n ? x[i] : 0.0f);
  if (threadIdx.x % 32 == 0) sums[blockIdx.x * 4 + warp] = total;
}
void host_warp_sums(const float* x, float* sums, int n) { warp_sums<<<(n + 127) / 128, 128>>>(x, sums, n); }

__global__ void reductions(const int* x, int* y, int n) {
  using Reduce = cub::WarpReduce<int, 16>;
  __shared__ Reduce::TempStorage temp[4];
  int t = threadIdx.x;
  Reduce reduce(temp[t / 16]);
  int most = reduce.Reduce(x[t], cub::Max());
  int some = reduce.Sum(x[t], 11);
  int few = reduce.Reduce(x[t], cub::Min(), 5);
  int by_head = reduce.HeadSegmentedSum(x[t], t % 5 == 0);
  int by_tail = reduce.TailSegmentedReduce(x[t], t % 7 == 3, cub::Max());
  bool first = t % 16 == 0;
  y[t] = first ? most : 0;
  y[64 + t] = first ? some : 0;
  y[128 + t] = first ? few : 0;
  y[192 + t] = first || t % 5 == 0 ? by_head : 0;
  y[256 + t] = first || (t - 1) % 7 == 3 ? by_tail : 0;
}
void host_reductions(const int* x, int* y, int n) { reductions<<<1, 64>>>(x, y, n); }

__global__ void scans(const int* x, int* y, int n) {
  typedef cub::WarpScan<int, 8> Scan;
  __shared__ typename Scan::TempStorage temp[64 / 8];
  int t = threadIdx.x, out, other, all;
  Scan scan(temp[t / 8]);
  scan.InclusiveSum(x[t], out);
  y[t] = out;
  scan.InclusiveSum(x[t], out, all);
  y[64 + t] = all;
  scan.ExclusiveSum(x[t], out);
  y[128 + t] = out;
  scan.ExclusiveSum(x[t], out, all);
  y[192 + t] = out + all;
  scan.InclusiveScan(x[t], out, cub::Max(), all);
  y[256 + t] = out + all;
  scan.ExclusiveScan(x[t], out, -7, cub::Max());
  y[320 + t] = out;
  scan.ExclusiveScan(x[t], out, -7, cub::Max(), all);
  y[384 + t] = out + all;
  scan.Sum(x[t], out, other);
  y[448 + t] = out - other;
  y[512 + t] = scan.Broadcast(x[t], 3);
}
void host_scans(const int* x, int* y, int n) { scans<<<1, 64>>>(x, y, n); }
