// Votes, active lanes, matches and warp reductions.
__global__ void votes(const int* x, unsigned int* y) {
  int v = x[threadIdx.x];
  const unsigned int full = 0xffffffffu;
  unsigned int ballot = __ballot_sync(full, v > 0);
  int everyone = __all_sync(full, v == v);
  int anyone = __any_sync(full, v < 0);
  unsigned int active = __activemask();
  unsigned int same = __match_any_sync(full, v);
  int agreed;
  unsigned int all_same = __match_all_sync(full, v, &agreed);
  int sum = __reduce_add_sync(full, v);
  y[threadIdx.x] = __popc(ballot) + everyone + 2 * anyone + __ffs(active) + same + all_same + agreed + sum;
}
