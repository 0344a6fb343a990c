#include <metal_stdlib>
using namespace metal;

// support library: cu::BlockLoad, cu::BlockStore, cu::BLOCK_LOAD_DIRECT, cu::BLOCK_STORE_TRANSPOSE, cu::BLOCK_LOAD_WARP_TRANSPOSE, cu::BLOCK_STORE_STRIPED, cu::BLOCK_LOAD_VECTORIZE, cu::BLOCK_STORE_VECTORIZE, cu::BlockExchange, cu::BLOCK_LOAD_TRANSPOSE, cu::BlockRadixSort

constexpr constant int THREADS = 64;

constexpr constant int ITEMS = 4;

template <int LOAD, int STORE>
inline void add_one(uint thread_index_in_threadgroup, const device float* x, device float* y, int n, threadgroup char* memory) {
  using Load = cu::BlockLoad<float, THREADS, ITEMS, LOAD>;
  using Store = cu::BlockStore<float, THREADS, ITEMS, STORE>;
  float kept[ITEMS];
  Load(*reinterpret_cast<threadgroup typename Load::TempStorage*>(memory), thread_index_in_threadgroup).Load(x, kept, n, -1.0f);
  for (int k = 0; k < ITEMS; ++k) kept[k] += 1.0f;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  Store(*reinterpret_cast<threadgroup typename Store::TempStorage*>(memory), thread_index_in_threadgroup).Store(y, kept, n);
  threadgroup_barrier(mem_flags::mem_threadgroup);
}

// dynamic_shared_bytes: the launch's dynamic shared memory
template <int dynamic_shared_bytes>
[[kernel]] void tiles(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
  threadgroup uint4 dynamic_shared[(dynamic_shared_bytes + 15) / 16];
  threadgroup char* memory = (threadgroup char*)dynamic_shared;
  const int tile = THREADS * ITEMS;
  int first = threadgroup_position_in_grid.x * tile;
  add_one<cu::BLOCK_LOAD_DIRECT, cu::BLOCK_STORE_TRANSPOSE>(thread_index_in_threadgroup, x + first, y + first, n - first, memory);
  add_one<cu::BLOCK_LOAD_WARP_TRANSPOSE, cu::BLOCK_STORE_STRIPED>(thread_index_in_threadgroup, x + first, y + n + first, n - first, memory);
}

// Whole tiles through vectors of the thread's own.
[[kernel]] void vectors(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]]) {
  const device float4* x_float4 = (const device float4*)x;
  device float4* y_float4 = (device float4*)y;
  using Load = cu::BlockLoad<float4, THREADS, 2, cu::BLOCK_LOAD_VECTORIZE>;
  using Store = cu::BlockStore<float4, THREADS, 2, cu::BLOCK_STORE_VECTORIZE>;
  threadgroup union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
  } temp;
  float4 kept[2];
  Load(temp.load, thread_index_in_threadgroup).Load(x_float4, kept);
  kept[0].x += kept[1].w;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  Store(temp.store, thread_index_in_threadgroup).Store(y_float4, kept);
}

[[kernel]] void exchange(
    const device int* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* y [[buffer(2)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  using Exchange = cu::BlockExchange<int, THREADS, ITEMS>;
  threadgroup typename Exchange::TempStorage temp;
  int t = thread_position_in_threadgroup.x, in[ITEMS], out[ITEMS], ranks[ITEMS];
  for (int k = 0; k < ITEMS; ++k) {
    in[k] = x[t * ITEMS + k];
    ranks[k] = THREADS * ITEMS - 1 - t * ITEMS - k;
  }
  Exchange(temp, thread_index_in_threadgroup).BlockedToStriped(in, out);
  for (int k = 0; k < ITEMS; ++k) y[t * ITEMS + k] = out[k];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  Exchange(temp, thread_index_in_threadgroup).StripedToBlocked(out);
  for (int k = 0; k < ITEMS; ++k) y[256 + t * ITEMS + k] = out[k];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  Exchange(temp, thread_index_in_threadgroup).BlockedToWarpStriped(in, out);
  for (int k = 0; k < ITEMS; ++k) y[512 + t * ITEMS + k] = out[k];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  Exchange(temp, thread_index_in_threadgroup).WarpStripedToBlocked(in, out);
  for (int k = 0; k < ITEMS; ++k) y[768 + t * ITEMS + k] = out[k];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  Exchange(temp, thread_index_in_threadgroup).ScatterToBlocked(in, out, ranks);
  for (int k = 0; k < ITEMS; ++k) y[1024 + t * ITEMS + k] = out[k];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  Exchange(temp, thread_index_in_threadgroup).ScatterToStriped(in, out, ranks);
  for (int k = 0; k < ITEMS; ++k) y[1280 + t * ITEMS + k] = out[k];
}

[[kernel]] void sort_pairs(
    const device float* keys [[buffer(0)]],
    const device int* values [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device float* sorted [[buffer(3)]],
    device int* order [[buffer(4)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  using Load = cu::BlockLoad<float, THREADS, ITEMS, cu::BLOCK_LOAD_TRANSPOSE>;
  using Sort = cu::BlockRadixSort<float, THREADS, ITEMS, int>;
  threadgroup union {
    typename Load::TempStorage load;
    typename Sort::TempStorage sort;
  } temp;
  float mine[ITEMS];
  int carried[ITEMS];
  Load(temp.load, thread_index_in_threadgroup).Load(keys, mine, n, 1e30f);
  for (int k = 0; k < ITEMS; ++k) carried[k] = thread_position_in_threadgroup.x * ITEMS + k < n ? values[thread_position_in_threadgroup.x * ITEMS + k] : 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  Sort(temp.sort, thread_index_in_threadgroup).Sort(mine, carried);
  for (int k = 0; k < ITEMS; ++k) {
    int i = thread_position_in_threadgroup.x * ITEMS + k;
    if (i < n) {
      sorted[i] = mine[k];
      order[i] = carried[k];
    }
  }
}

[[kernel]] void sort_keys(
    const device uint* keys [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device uint* sorted [[buffer(2)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  typedef cu::BlockRadixSort<uint, THREADS, ITEMS> Sort;
  threadgroup typename Sort::TempStorage temp;
  uint mine[ITEMS];
  for (int k = 0; k < ITEMS; ++k) mine[k] = thread_position_in_threadgroup.x * ITEMS + k < n ? keys[thread_position_in_threadgroup.x * ITEMS + k] : 0u;
  Sort(temp, thread_index_in_threadgroup).SortDescending(mine);
  for (int k = 0; k < ITEMS; ++k) sorted[thread_position_in_threadgroup.x * ITEMS + k] = mine[k];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  Sort(temp, thread_index_in_threadgroup).SortBlockedToStriped(mine, 3, 9);
  for (int k = 0; k < ITEMS; ++k) sorted[256 + k * THREADS + thread_position_in_threadgroup.x] = mine[k];
}
