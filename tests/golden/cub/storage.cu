// Where the storage of a collective may stand: in unions, in records, over dynamic shared memory, in helpers.
#include <cub/block/block_load.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>

// A class of traits names the collectives; dynamic shared memory is laid out by their sizes.
template <int THREADS_, int ITEMS_, typename input_t_>
struct SoftplusTraits {
  using input_t = input_t_;
  static constexpr int THREADS = THREADS_;
  static constexpr int ITEMS = ITEMS_;
  using BlockLoadT = cub::BlockLoad<input_t, THREADS, ITEMS, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using BlockStoreT = cub::BlockStore<input_t, THREADS, ITEMS, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  using BlockScanT = cub::BlockScan<float, THREADS, cub::BLOCK_SCAN_WARP_SCANS>;
  static constexpr int SMEM_IO = sizeof(typename BlockLoadT::TempStorage) > sizeof(typename BlockStoreT::TempStorage)
      ? sizeof(typename BlockLoadT::TempStorage) : sizeof(typename BlockStoreT::TempStorage);
};

template <typename Traits>
inline __device__ void load(typename Traits::input_t* x, typename Traits::input_t (&values)[Traits::ITEMS],
                            typename Traits::BlockLoadT::TempStorage& storage, int valid) {
  typename Traits::BlockLoadT(storage).Load(x, values, valid, 0.0f);
}

template <typename Traits>
__global__ void softplus_sums(float* x, float* y, int n) {
  using input_t = typename Traits::input_t;
  extern __shared__ char smem[];
  auto& smem_load = reinterpret_cast<typename Traits::BlockLoadT::TempStorage&>(smem);
  auto& smem_store = reinterpret_cast<typename Traits::BlockStoreT::TempStorage&>(smem);
  auto& smem_scan = *reinterpret_cast<typename Traits::BlockScanT::TempStorage*>(smem + Traits::SMEM_IO);
  input_t values[Traits::ITEMS];
  load<Traits>(x, values, smem_load, n);
  for (int k = 0; k < Traits::ITEMS; ++k) values[k] = log1pf(expf(values[k]));
  typename Traits::BlockScanT(smem_scan).InclusiveSum(values, values);
  __syncthreads();
  typename Traits::BlockStoreT(smem_store).Store(y, values, n);
}
void host_softplus_sums(float* x, float* y, int n) {
  softplus_sums<SoftplusTraits<64, 4, float>><<<1, 64, 2048>>>(x, y, n);
}

// A record of storages; the class names are in scope.
namespace stages {
using namespace cub;
struct Shared {
  union {
    typename BlockReduce<float, 64>::TempStorage reduce;
    typename BlockScan<float, 64>::TempStorage scan;
  } temp;
  float total;
};
__global__ void normalised_scan(const float* x, float* y, int n) {
  __shared__ Shared shared;
  int i = threadIdx.x;
  float v = i < n ? x[i] : 0.0f;
  float sum = BlockReduce<float, 64>(shared.temp.reduce).Reduce(v, Max());
  if (i == 0) shared.total = sum;
  __syncthreads();
  float out;
  BlockScan<float, 64>(shared.temp.scan).InclusiveSum(v, out);
  if (i < n) y[i] = out / shared.total;
}
void host_normalised_scan(const float* x, float* y, int n) { normalised_scan<<<1, 64>>>(x, y, n); }
}  // namespace stages

// Storage in helpers: the kernel declares it.
__device__ float block_total(float v) {
  constexpr int THREADS = 96;
  using Reduce = cub::BlockReduce<float, THREADS>;
  __shared__ typename Reduce::TempStorage temp;
  return Reduce(temp).Sum(v);
}
template <typename T, int THREADS>
__device__ T block_most(T v) {
  typedef cub::BlockReduce<T, THREADS> Reduce;
  __shared__ typename Reduce::TempStorage temp;
  __shared__ T result;
  T most = Reduce(temp).Reduce(v, cub::Max());
  if (threadIdx.x == 0) result = most;
  __syncthreads();
  return result;
}
__global__ void centred(const float* x, float* y, int n) {
  int i = threadIdx.x;
  float v = i < n ? x[i] : 0.0f;
  float total = block_total(v), most = block_most<float, 96>(v);
  int index = block_most<int, 96>(v == most ? i : -1);
  if (i < n) y[i] = v / most;
  if (i == 0) {
    y[n] = total;
    y[n + 1] = index;
  }
}
void host_centred(const float* x, float* y, int n) { centred<<<1, 96>>>(x, y, n); }
