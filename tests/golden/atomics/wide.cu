// 64-bit atomics whose result is used, and is not; a system-wide one.
__global__ void ticket(unsigned long long* counter, unsigned long long* y) {
  y[threadIdx.x] = atomicAdd(counter, 1ULL);  // error: CU3306
}

__global__ void sums(unsigned long long* total, unsigned long long* mask, const unsigned long long* x) {
  __shared__ unsigned long long part;
  if (threadIdx.x == 0) part = 0;
  __syncthreads();
  atomicAdd(&part, x[threadIdx.x]);
  atomicOr_block(mask, x[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(total, part);
}

// Nothing else is done to `best`, so it can start at zero.
__global__ void top(unsigned long long* best, const unsigned long long* x) {
  atomicMax(&best[threadIdx.x % 3], x[threadIdx.x]);
}

__global__ void flag(int* ready) {
  atomicAdd_system(ready, 1);  // warning: CU4104
}
