// atomicAdd of one 16-bit format: a pair is atomic per element only.
SCOPED(UPDATE, atomicAdd, NARROW, __hadd(old, v))
static inline NARROW2 atomicAdd(NARROW2* address, NARROW2 v) {
  return NARROW2(atomicAdd(&address->x, v.x), atomicAdd(&address->y, v.y));
}
