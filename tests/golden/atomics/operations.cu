// Every 32-bit operation.
__global__ void all(int* a, unsigned int* u, const int* x) {
  int i = threadIdx.x;
  atomicSub(&a[0], x[i]);
  atomicMin(&a[1], x[i]);
  atomicMax(&a[2], x[i]);
  atomicAnd(&u[0], (unsigned int)x[i]);
  atomicOr(&u[1], 1u << i);
  atomicXor(&u[2], 1u << i);
  atomicInc(&u[3], 7u);
  atomicDec(&u[4], 7u);
  int old = atomicExch(&a[3], x[i]);
  if (old > 0) atomicCAS(&a[4], old, x[i]);
}
