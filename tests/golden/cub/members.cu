// Collectives of classes that keep a reference to their storage.
#include <cub/cub.cuh>

template <int N>
struct Summer {
  using Reduce = cub::BlockReduce<float, N>;
  using TempStorage = typename Reduce::TempStorage;
  TempStorage& temp;
  int thread;
  __device__ Summer(TempStorage& storage) : temp(storage), thread(threadIdx.x) {}
  __device__ float sum(float v) { return Reduce(temp).Sum(v); }
  __device__ float operator()(float v) const {
    float total = Reduce(this->temp).Sum(v);
    return thread == 0 ? total : 0.0f;
  }
};

template <int N>
__global__ void sums(const float* x, float* y) {
  __shared__ typename Summer<N>::TempStorage temp;
  Summer<N> summer(temp);
  float a = summer.sum(x[threadIdx.x]);
  __syncthreads();
  float b = summer(2.0f * x[threadIdx.x]);
  __syncthreads();
  float c = Summer<N>(temp).sum(1.0f);
  if (threadIdx.x == 0) {
    y[0] = a;
    y[1] = b;
    y[2] = c;
  }
}
void host_sums(const float* x, float* y) { sums<45><<<1, 45>>>(x, y); }

// Two stages in one union.
struct Ranks {
  typedef cub::BlockReduce<int, 48> Reduce;
  typedef cub::BlockScan<int, 48> Scan;
  union TempStorage {
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
  };
  TempStorage& temp;
  __device__ __forceinline__ Ranks(TempStorage& storage) : temp(storage) {}
  __device__ int run(int v, int& rank) {
    int total = Reduce(temp.reduce).Sum(v);
    __syncthreads();
    Scan(temp.scan).ExclusiveSum(v, rank);
    return total;
  }
};
__global__ void ranks(const int* x, int* y) {
  __shared__ Ranks::TempStorage temp;
  int rank, total = Ranks(temp).run(x[threadIdx.x], rank);
  y[threadIdx.x] = rank;
  if (threadIdx.x == 0) y[48] = total;
}
void host_ranks(const int* x, int* y) { ranks<<<1, 48>>>(x, y); }

// References to variables of the thread's own.
struct Slots {
  float (&slots)[4];
  int& count;
  __device__ void add(int i, float v) {
    slots[i] += v;
    count++;
  }
};
__global__ void slots(const float* x, float* y) {
  float local[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  int count = 0;
  Slots all{local, count};
  all.add(1, x[0]);
  all.add(2, x[1]);
  y[0] = local[1] + local[2] + count;
}
void host_slots(const float* x, float* y) { slots<<<1, 1>>>(x, y); }
