// cub::BlockScan: sums, operators, initial values, aggregates, running prefixes.
#include <cub/block/block_scan.cuh>

__global__ void offsets(const int* counts, int* starts, int* total, int n) {
  typedef cub::BlockScan<int, 128> BlockScan;
  __shared__ typename BlockScan::TempStorage temp;
  int i = threadIdx.x, start, all;
  BlockScan(temp).ExclusiveSum(i < n ? counts[i] : 0, start, all);
  if (i < n) starts[i] = start;
  if (i == 0) total[0] = all;
}
void host_offsets(const int* counts, int* starts, int* total, int n) { offsets<<<1, 128>>>(counts, starts, total, n); }

// Every form for one item, on a block that does not fill its last warp.
__global__ void single(const int* x, int* y, int n) {
  using Scan = cub::BlockScan<int, 80, cub::BLOCK_SCAN_RAKING_MEMOIZE>;
  __shared__ Scan::TempStorage temp;
  Scan scan{temp};
  int t = threadIdx.x, v = x[t], out, all;
  scan.InclusiveSum(v, out);
  y[t] = out;
  __syncthreads();
  scan.InclusiveSum(v, out, all);
  y[80 + t] = out + all;
  __syncthreads();
  scan.ExclusiveSum(v, out);
  y[160 + t] = out;
  __syncthreads();
  scan.InclusiveScan(v, out, cub::Max());
  y[240 + t] = out;
  __syncthreads();
  scan.InclusiveScan(v, out, cub::Min(), all);
  y[320 + t] = out + all;
  __syncthreads();
  scan.ExclusiveScan(v, out, -1000, cub::Max());
  y[400 + t] = out;
  __syncthreads();
  scan.ExclusiveScan(v, out, -1000, cub::Max(), all);
  y[480 + t] = out + all;
  __syncthreads();
  scan.ExclusiveScan(v, out, cub::Max(), all);
  y[560 + t] = t == 0 ? all : out;
}
void host_single(const int* x, int* y, int n) { single<<<1, 80>>>(x, y, n); }

// Several items a thread; the block has two dimensions.
__global__ void items(const int* x, int* y, int n) {
  using Scan = cub::BlockScan<int, 32, cub::BLOCK_SCAN_WARP_SCANS, 3>;
  __shared__ typename Scan::TempStorage temp;
  int t = threadIdx.y * 32 + threadIdx.x, all;
  int in[2] = {x[2 * t], x[2 * t + 1]}, out[2];
  Scan(temp).InclusiveSum(in, out, all);
  y[2 * t] = out[0];
  y[2 * t + 1] = out[1] + all;
  __syncthreads();
  Scan(temp).ExclusiveScan(in, out, 5, cub::Max(), all);
  y[192 + 2 * t] = out[0];
  y[192 + 2 * t + 1] = out[1] + all;
  __syncthreads();
  Scan(temp).ExclusiveSum(in, in);
  y[384 + 2 * t] = in[0];
  y[384 + 2 * t + 1] = in[1];
}
void host_items(const int* x, int* y, int n) { items<<<1, dim3(32, 3)>>>(x, y, n); }

struct RunningTotal {
  int total;
  __device__ RunningTotal(int start) : total(start) {}
  __device__ int operator()(int block_total) {
    int before = total;
    total += block_total;
    return before;
  }
};

// A long row by one block: each tile starts where the tile before it ended.
__global__ void long_row(const int* x, int* y, int n) {
  using Scan = cub::BlockScan<int, 64>;
  __shared__ typename Scan::TempStorage temp;
  RunningTotal prefix(0);
  for (int first = 0; first < n; first += 64) {
    int i = first + threadIdx.x;
    int v = i < n ? x[i] : 0;
    Scan(temp).InclusiveSum(v, v, prefix);
    __syncthreads();
    if (i < n) y[i] = v;
  }
}
void host_long_row(const int* x, int* y, int n) { long_row<<<1, 64>>>(x, y, n); }

// A first-order recurrence, which is a scan of linear maps, with the state carried from chunk to chunk.
struct LinearMap {
  __device__ __forceinline__ float2 operator()(const float2& first, const float2& then) const {
    return make_float2(then.x * first.x, then.x * first.y + then.y);
  }
};
struct State {
  float2 running;
  __device__ State(float2 start) : running(start) {}
  __device__ float2 operator()(float2 chunk) {
    float2 before = running;
    running = LinearMap()(running, chunk);
    return before;
  }
};
template <int ITEMS>
__global__ void recurrence(const float* decay, const float* input, float* states, int length) {
  using Scan = cub::BlockScan<float2, 32, cub::BLOCK_SCAN_WARP_SCANS>;
  __shared__ typename Scan::TempStorage smem_scan;
  __shared__ float2 carried;
  const int row = blockIdx.x * length;
  for (int chunk = 0; chunk < length; chunk += 32 * ITEMS) {
    float2 maps[ITEMS];
    #pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
      int i = chunk + threadIdx.x * ITEMS + k;
      maps[k] = i < length ? make_float2(decay[row + i] * 0.1f, input[row + i]) : make_float2(1.0f, 0.0f);
    }
    float2 start = chunk > 0 && threadIdx.x % 32 == 0 ? carried : make_float2(1.0f, 0.0f);
    State prefix_op(start);
    Scan(smem_scan).InclusiveScan(maps, maps, LinearMap(), prefix_op);
    if (threadIdx.x == 0) carried = prefix_op.running;
    #pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
      int i = chunk + threadIdx.x * ITEMS + k;
      if (i < length) states[row + i] = maps[k].y;
    }
    __syncthreads();
  }
}
void host_recurrence(const float* decay, const float* input, float* states, int rows, int length) {
  recurrence<4><<<rows, 32>>>(decay, input, states, length);
}
