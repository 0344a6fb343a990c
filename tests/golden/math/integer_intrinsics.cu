// Bit and integer intrinsics.
__global__ void bits(const unsigned int* x, int* y) {
  unsigned int v = x[threadIdx.x];
  y[threadIdx.x] = __popc(v) + __clz(v) + __ffs(v) + __brev(v) + __umulhi(v, v) + __byte_perm(v, ~v, 0x3210) +
                   __funnelshift_l(v, v, 3) + __dp4a((int)v, 0x01010101, 0) + __mul24(v, 3) + __sad(1, 2, 3u);
}
