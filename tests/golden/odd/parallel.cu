// Atomics, warps, odd block sizes.
#define GID (blockIdx.x * blockDim.x + threadIdx.x)
struct Stats { int count; float sum; unsigned bits; };

__global__ void atomic_fields(Stats *stats, const float *in, int n) {
  int i = GID;
  if (i < n) {
    atomicAdd(&stats->count, 1);
    atomicAdd(&stats[0].sum, floorf(in[i]));
    atomicOr(&stats[0].bits, 1u << (i & 31));
  }
}

__global__ void shared_atomics(float *out, const float *in, int n) {
  __shared__ float sum; __shared__ int hits[4]; __shared__ Stats s;
  int t = threadIdx.x, i = GID;
  if (t == 0) { sum = 0; s.count = 0; }
  if (t < 4) hits[t] = 0;
  __syncthreads();
  if (i < n) { atomicAdd(&sum, floorf(in[i])); atomicAdd(hits + (t & 3), 1); atomicMax(&s.count, t); }
  __syncthreads();
  if (i < n) out[i] = sum + hits[t & 3] + s.count;
}

__global__ void packed_cas(unsigned *packed, const int *in, int n) {
  int i = GID;
  if (i >= n) return;
  unsigned *word = packed + (i >> 1), shift = (i & 1) * 16, old = *word, seen;
  do {
    seen = old;
    unsigned half = (seen >> shift) & 0xffffu;
    unsigned next = (seen & ~(0xffffu << shift)) | (((half + (in[i] & 7)) & 0xffffu) << shift);
    old = atomicCAS(word, seen, next);
  } while (old != seen);
}

__device__ float atomic_max_float(float *address, float value) {
  int *as_int = (int *)address;
  int old = *as_int, seen;
  while (value > __int_as_float(old)) {
    seen = old;
    if ((old = atomicCAS(as_int, seen, __float_as_int(value))) == seen) break;
  }
  return __int_as_float(old);
}
__global__ void float_max(float *out, const float *in, int n) { int i = GID; if (i < n) atomic_max_float(out, in[i]); }

__global__ void divergent_shuffles(float *out, const float *in, int n) {
  int i = GID, lane = threadIdx.x & 31;
  float v = i < n ? in[i] : 0.0f;
  if (lane < 16) v += __shfl_xor_sync(0x0000ffff, v, 3);
  else { float u = __shfl_up_sync(0xffff0000, v, 1); v -= lane > 16 ? u : 0.0f; }
  if (i < n) out[i] = v;
}

__global__ void odd_block(float *out, const float *in, int n) {
  __shared__ float part[2];
  int t = threadIdx.x;
  float v = 0;
  for (int k = t; k < n; k += blockDim.x) v += floorf(in[k]);
  unsigned mask = __ballot_sync(__activemask(), t < (int)blockDim.x);
  for (int d = 16; d; d >>= 1) { float u = __shfl_down_sync(mask, v, d); if ((t & 31) + d < 32 && t + d < blockDim.x) v += u; }
  if ((t & 31) == 0) part[t >> 5] = v;
  __syncthreads();
  if (!t) out[blockIdx.x] = part[0] + part[1];
}

__inline__ __device__ int warp_scan(int x) {
  const int lane = threadIdx.x % warpSize;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) { int y = __shfl_up_sync(~0u, x, d); if (lane >= d) x += y; }
  return x;
}
__global__ void scans(int *out, const int *in, int n) { int i = GID; int s = warp_scan(i < n ? in[i] : 0); if (i < n) out[i] = s; }

__global__ void votes(unsigned *out, const int *in, int n) {
  int i = GID;
  int p = i < n && in[i] > 0;
  unsigned b = __ballot_sync(0xffffffffu, p);
  int any = __any_sync(-1, p), all = __all_sync(-1, p);
  unsigned below = __popc(b & ((1u << (threadIdx.x & 31)) - 1));
  if (i < n) out[i] = b ^ (any << 1) ^ all ^ (below << 8) ^ (__ffs(b) << 16);
}

__global__ void returned_atomics(int *cursor, int *slots, const int *in, int n) {
  int i = GID;
  if (i < n && in[i] > 0) { int at = atomicAdd(cursor, 1); if (at < n) slots[at] = 1; }
}

__global__ void block_or(int *out, const int *in, int n) {
  int i = GID;
  int c = __syncthreads_count(i < n && in[i] > 0), o = __syncthreads_or(i < n && in[i] > 90), a = __syncthreads_and(i < n);
  if (i < n) out[i] = c + 1000 * !!o + 10000 * !!a;
}

__global__ void __launch_bounds__(64, 2) all_dims(int *out, int n) {
  int x = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  int i = b * blockDim.x * blockDim.y * blockDim.z + x;
  dim3 t = threadIdx; uint3 g = blockIdx; const dim3 size = blockDim;
  if (i < n) out[i] = t.x + 100 * g.x + 10000 * size.y + blockDim.z;
}

__global__ void wide_values(long long *out, const long long *in, float2 *pairs, int n) {
  int i = GID;
  long long v = i < n ? in[i] : 0;
  v += __shfl_xor_sync(0xffffffff, v, 1);
  float x = i < n ? pairs[i].x : 0.0f;
  x = __shfl_sync(0xffffffff, x, (threadIdx.x + 5) & 31, 8);
  if (i < n) { out[i] = v; 
    pairs[i].y = x;
  }
}
__global__ void atomics_of_all(int *i32, unsigned *u32, int n) {
  int i = GID;
  if (i >= n) return;
  atomicSub(i32, 1); atomicMin(&i32[1], -i); atomicMax(i32 + 2, i); atomicAnd(&u32[0], ~(1u << (i & 31)));
  atomicXor(&u32[1], 1u << (i & 31)); atomicInc(&u32[2], 9u); atomicDec(u32 + 3, 5u); atomicExch(&u32[4], 7u);
}
