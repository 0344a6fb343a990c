// What the GPU's clock, sleep and trap become.
__global__ void timed(long long* t) {
  t[threadIdx.x] = clock64();  // error: CU3205
}

__global__ void waits(volatile int* flag) {
  while (*flag == 0) __nanosleep(100);  // error: CU3206
}

__global__ void stops(const int* x, int* y) {
  if (x[threadIdx.x] < 0) __trap();  // warning: CU4109
  y[threadIdx.x] = x[threadIdx.x];
}
