// A 64-bit atomic whose result is used; a system-wide one.
__global__ void ticket(unsigned long long* counter, unsigned long long* y) {
  y[threadIdx.x] = atomicAdd(counter, 1ULL);  // error: CU3306
}

__global__ void flag(int* ready) {
  atomicAdd_system(ready, 1);  // warning: CU4104
}
