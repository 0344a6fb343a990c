#include <metal_stdlib>
using namespace metal;

// support library: cu::BlockLoad, cu::BLOCK_LOAD_WARP_TRANSPOSE, cu::BlockStore, cu::BLOCK_STORE_WARP_TRANSPOSE, cu::BlockScan, cu::BLOCK_SCAN_WARP_SCANS, cu::BlockReduce, cu::Max, cu::log1p

// A class of traits names the collectives; dynamic shared memory is laid out by their sizes.
template <int THREADS_, int ITEMS_, typename input_t_>
struct SoftplusTraits {
  using input_t = input_t_;
  static constexpr constant int THREADS = THREADS_;
  static constexpr constant int ITEMS = ITEMS_;
  using BlockLoadT = cu::BlockLoad<input_t, THREADS, ITEMS, cu::BLOCK_LOAD_WARP_TRANSPOSE>;
  using BlockStoreT = cu::BlockStore<input_t, THREADS, ITEMS, cu::BLOCK_STORE_WARP_TRANSPOSE>;
  using BlockScanT = cu::BlockScan<float, THREADS, cu::BLOCK_SCAN_WARP_SCANS>;
  static constexpr constant int SMEM_IO = sizeof(typename BlockLoadT::TempStorage) > sizeof(typename BlockStoreT::TempStorage)
      ? sizeof(typename BlockLoadT::TempStorage) : sizeof(typename BlockStoreT::TempStorage);
};

template <typename Traits>
inline void load(uint thread_index_in_threadgroup, const device typename Traits::input_t* x, thread typename Traits::input_t (&values)[Traits::ITEMS], threadgroup typename Traits::BlockLoadT::TempStorage& storage, int valid) {
  typename Traits::BlockLoadT(storage, thread_index_in_threadgroup).Load(x, values, valid, 0.0f);
}

struct Shared {
  union {
    typename cu::BlockReduce<float, 64>::TempStorage reduce;
    typename cu::BlockScan<float, 64>::TempStorage scan;
  } temp;
  float total;
};

// Storage in helpers: the kernel declares it.
inline float block_total(threadgroup typename cu::BlockReduce<float, 96>::TempStorage& temp, uint thread_index_in_threadgroup, float v) {
  constexpr int THREADS = 96;
  using Reduce = cu::BlockReduce<float, THREADS>;
  return Reduce(temp, thread_index_in_threadgroup).Sum(v);
}

template <typename T, int THREADS>
inline T block_most(threadgroup typename cu::BlockReduce<T, THREADS>::TempStorage& temp, threadgroup ulong* block_most_result, uint thread_index_in_threadgroup, uint3 thread_position_in_threadgroup, T v) {
  typedef cu::BlockReduce<T, THREADS> Reduce;
  threadgroup T& result = *(threadgroup T*)block_most_result;
  T most = Reduce(temp, thread_index_in_threadgroup).Reduce(v, cu::Max());
  if (thread_position_in_threadgroup.x == 0) result = most;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  return result;
}

// dynamic_shared_bytes: the launch's dynamic shared memory
template <int dynamic_shared_bytes>
[[kernel]] void softplus_sums(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]]) {
  threadgroup uint4 dynamic_shared[(dynamic_shared_bytes + 15) / 16];
  using Traits = SoftplusTraits<64, 4, float>;
  using input_t = typename Traits::input_t;
  threadgroup char* smem = (threadgroup char*)dynamic_shared;
  threadgroup auto& smem_load = (*reinterpret_cast<threadgroup typename Traits::BlockLoadT::TempStorage*>(smem));
  threadgroup auto& smem_store = (*reinterpret_cast<threadgroup typename Traits::BlockStoreT::TempStorage*>(smem));
  threadgroup auto& smem_scan = *reinterpret_cast<threadgroup typename Traits::BlockScanT::TempStorage*>(smem + Traits::SMEM_IO);
  input_t values[Traits::ITEMS];
  load<Traits>(thread_index_in_threadgroup, x, values, smem_load, n);
  for (int k = 0; k < Traits::ITEMS; ++k) values[k] = cu::log1p(precise::exp(float(values[k])));
  typename Traits::BlockScanT(smem_scan, thread_index_in_threadgroup).InclusiveSum(values, values);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  typename Traits::BlockStoreT(smem_store, thread_index_in_threadgroup).Store(y, values, n);
}

[[kernel]] void normalised_scan(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  threadgroup Shared shared;
  int i = thread_position_in_threadgroup.x;
  float v = i < n ? x[i] : 0.0f;
  float sum = cu::BlockReduce<float, 64>(shared.temp.reduce, thread_index_in_threadgroup).Reduce(v, cu::Max());
  if (i == 0) shared.total = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float out;
  cu::BlockScan<float, 64>(shared.temp.scan, thread_index_in_threadgroup).InclusiveSum(v, out);
  if (i < n) y[i] = out / shared.total;
}

[[kernel]] void centred(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  threadgroup typename cu::BlockReduce<float, 96>::TempStorage block_total_temp;
  threadgroup typename cu::BlockReduce<float, 96>::TempStorage block_most_temp;
  threadgroup ulong block_most_result[1];
  threadgroup typename cu::BlockReduce<int, 96>::TempStorage block_most_temp_2;
  int i = thread_position_in_threadgroup.x;
  float v = i < n ? x[i] : 0.0f;
  float total = block_total(block_total_temp, thread_index_in_threadgroup, v), most = block_most<float, 96>(block_most_temp, block_most_result, thread_index_in_threadgroup, thread_position_in_threadgroup, v);
  int index = block_most<int, 96>(block_most_temp_2, block_most_result, thread_index_in_threadgroup, thread_position_in_threadgroup, v == most ? i : -1);
  if (i < n) y[i] = v / most;
  if (i == 0) {
    y[n] = total;
    y[n + 1] = index;
  }
}
