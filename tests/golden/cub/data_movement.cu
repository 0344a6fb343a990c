// cub::BlockLoad, BlockStore, BlockExchange and BlockRadixSort, one after the other in the same storage.
#include <cub/cub.cuh>

constexpr int THREADS = 64, ITEMS = 4;

template <cub::BlockLoadAlgorithm LOAD, cub::BlockStoreAlgorithm STORE>
__device__ void add_one(const float* x, float* y, int n, char* memory) {
  using Load = cub::BlockLoad<float, THREADS, ITEMS, LOAD>;
  using Store = cub::BlockStore<float, THREADS, ITEMS, STORE>;
  float kept[ITEMS];
  Load(*reinterpret_cast<typename Load::TempStorage*>(memory)).Load(x, kept, n, -1.0f);
  for (int k = 0; k < ITEMS; ++k) kept[k] += 1.0f;
  __syncthreads();
  Store(*reinterpret_cast<typename Store::TempStorage*>(memory)).Store(y, kept, n);
  __syncthreads();
}

__global__ void tiles(const float* x, float* y, int n) {
  extern __shared__ char memory[];
  const int tile = THREADS * ITEMS;
  int first = blockIdx.x * tile;
  add_one<cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_TRANSPOSE>(x + first, y + first, n - first, memory);
  add_one<cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_STRIPED>(x + first, y + n + first, n - first, memory);
}
void host_tiles(const float* x, float* y, int n) {
  tiles<<<(n + THREADS * ITEMS - 1) / (THREADS * ITEMS), THREADS, THREADS * ITEMS * sizeof(float)>>>(x, y, n);
}

// Whole tiles through vectors of the thread's own.
__global__ void vectors(const float4* x, float4* y, int n) {
  using Load = cub::BlockLoad<float4, THREADS, 2, cub::BLOCK_LOAD_VECTORIZE>;
  using Store = cub::BlockStore<float4, THREADS, 2, cub::BLOCK_STORE_VECTORIZE>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
  } temp;
  float4 kept[2];
  Load(temp.load).Load(x, kept);
  kept[0].x += kept[1].w;
  __syncthreads();
  Store(temp.store).Store(y, kept);
}
void host_vectors(const float4* x, float4* y, int n) { vectors<<<1, THREADS>>>(x, y, n); }

__global__ void exchange(const int* x, int* y, int n) {
  using Exchange = cub::BlockExchange<int, THREADS, ITEMS>;
  __shared__ typename Exchange::TempStorage temp;
  int t = threadIdx.x, in[ITEMS], out[ITEMS], ranks[ITEMS];
  for (int k = 0; k < ITEMS; ++k) {
    in[k] = x[t * ITEMS + k];
    ranks[k] = THREADS * ITEMS - 1 - t * ITEMS - k;
  }
  Exchange(temp).BlockedToStriped(in, out);
  for (int k = 0; k < ITEMS; ++k) y[t * ITEMS + k] = out[k];
  __syncthreads();
  Exchange(temp).StripedToBlocked(out);
  for (int k = 0; k < ITEMS; ++k) y[256 + t * ITEMS + k] = out[k];
  __syncthreads();
  Exchange(temp).BlockedToWarpStriped(in, out);
  for (int k = 0; k < ITEMS; ++k) y[512 + t * ITEMS + k] = out[k];
  __syncthreads();
  Exchange(temp).WarpStripedToBlocked(in, out);
  for (int k = 0; k < ITEMS; ++k) y[768 + t * ITEMS + k] = out[k];
  __syncthreads();
  Exchange(temp).ScatterToBlocked(in, out, ranks);
  for (int k = 0; k < ITEMS; ++k) y[1024 + t * ITEMS + k] = out[k];
  __syncthreads();
  Exchange(temp).ScatterToStriped(in, out, ranks);
  for (int k = 0; k < ITEMS; ++k) y[1280 + t * ITEMS + k] = out[k];
}
void host_exchange(const int* x, int* y, int n) { exchange<<<1, THREADS>>>(x, y, n); }

__global__ void sort_pairs(const float* keys, const int* values, float* sorted, int* order, int n) {
  using Load = cub::BlockLoad<float, THREADS, ITEMS, cub::BLOCK_LOAD_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<float, THREADS, ITEMS, int>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Sort::TempStorage sort;
  } temp;
  float mine[ITEMS];
  int carried[ITEMS];
  Load(temp.load).Load(keys, mine, n, 1e30f);
  for (int k = 0; k < ITEMS; ++k) carried[k] = threadIdx.x * ITEMS + k < n ? values[threadIdx.x * ITEMS + k] : 0;
  __syncthreads();
  Sort(temp.sort).Sort(mine, carried);
  for (int k = 0; k < ITEMS; ++k) {
    int i = threadIdx.x * ITEMS + k;
    if (i < n) {
      sorted[i] = mine[k];
      order[i] = carried[k];
    }
  }
}
void host_sort_pairs(const float* keys, const int* values, float* sorted, int* order, int n) {
  sort_pairs<<<1, THREADS>>>(keys, values, sorted, order, n);
}

__global__ void sort_keys(const unsigned int* keys, unsigned int* sorted, int n) {
  typedef cub::BlockRadixSort<unsigned int, THREADS, ITEMS> Sort;
  __shared__ typename Sort::TempStorage temp;
  unsigned int mine[ITEMS];
  for (int k = 0; k < ITEMS; ++k) mine[k] = threadIdx.x * ITEMS + k < n ? keys[threadIdx.x * ITEMS + k] : 0u;
  Sort(temp).SortDescending(mine);
  for (int k = 0; k < ITEMS; ++k) sorted[threadIdx.x * ITEMS + k] = mine[k];
  __syncthreads();
  Sort(temp).SortBlockedToStriped(mine, 3, 9);
  for (int k = 0; k < ITEMS; ++k) sorted[256 + k * THREADS + threadIdx.x] = mine[k];
}
void host_sort_keys(const unsigned int* keys, unsigned int* sorted, int n) {
  sort_keys<<<1, THREADS>>>(keys, sorted, n);
}
