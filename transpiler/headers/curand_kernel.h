// cuRAND's device functions for its Philox 4x32-10 generator, by the published algorithm (Salmon et al., "Parallel
// random numbers: as easy as 1, 2, 3", 2011) and cuRAND's documented sequences and offsets.
#pragma once

struct curandStatePhilox4_32_10 {
  uint4 ctr;
  uint4 output;
  uint2 key;
  unsigned int STATE;  // how many of `output` are used up
  float boxmuller_extra;
  int boxmuller_flag;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

__device__ inline uint4 philox_round(uint4 c, uint2 key) {
  unsigned int high0 = __umulhi(0xD2511F53u, c.x), low0 = 0xD2511F53u * c.x;
  unsigned int high1 = __umulhi(0xCD9E8D57u, c.z), low1 = 0xCD9E8D57u * c.z;
  return make_uint4(high1 ^ c.y ^ key.x, low1, high0 ^ c.w ^ key.y, low0);
}

__device__ inline uint4 curand_Philox4x32_10(uint4 c, uint2 key) {
  for (int i = 0; i < 9; ++i) {
    c = philox_round(c, key);
    key.x += 0x9E3779B9u;
    key.y += 0xBB67AE85u;
  }
  return philox_round(c, key);
}

// Adds n to the lower half of the counter, with carry into the upper.
__device__ inline void philox_advance(curandStatePhilox4_32_10_t* state, unsigned long long n) {
  unsigned int low = (unsigned int)n, high = (unsigned int)(n >> 32);
  state->ctr.x += low;
  unsigned int carry = state->ctr.x < low ? 1u : 0u;
  unsigned long long sum = (unsigned long long)state->ctr.y + high + carry;
  state->ctr.y = (unsigned int)sum;
  if ((sum >> 32) != 0) {
    state->ctr.z += 1u;
    if (state->ctr.z == 0u) state->ctr.w += 1u;
  }
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

__device__ inline void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  state->STATE += (unsigned int)(n & 3);
  n /= 4;
  if (state->STATE > 3) {
    n += 1;
    state->STATE -= 4;
  }
  philox_advance(state, n);
}

__device__ inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  unsigned int low = (unsigned int)n;
  state->ctr.z += low;
  state->ctr.w += (unsigned int)(n >> 32) + (state->ctr.z < low ? 1u : 0u);
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

__device__ inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                                   unsigned long long offset, curandStatePhilox4_32_10_t* state) {
  state->ctr = make_uint4(0u, 0u, 0u, 0u);
  state->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
  state->STATE = 0;
  state->boxmuller_flag = 0;
  state->boxmuller_extra = 0.0f;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}

__device__ inline unsigned int curand(curandStatePhilox4_32_10_t* state) {
  uint4 all = state->output;
  unsigned int used = state->STATE;
  unsigned int value = used == 0 ? all.x : used == 1 ? all.y : used == 2 ? all.z : all.w;
  state->STATE = used + 1;
  if (state->STATE == 4) {
    philox_advance(state, 1);
    state->STATE = 0;
  }
  return value;
}

__device__ inline uint4 curand4(curandStatePhilox4_32_10_t* state) {
  uint4 a = state->output;
  philox_advance(state, 1);
  uint4 b = state->output;
  if (state->STATE == 1) return make_uint4(a.y, a.z, a.w, b.x);
  if (state->STATE == 2) return make_uint4(a.z, a.w, b.x, b.y);
  if (state->STATE == 3) return make_uint4(a.w, b.x, b.y, b.z);
  return a;
}

// In (0, 1]: 2^-32 x + 2^-33.
__device__ inline float philox_uniform(unsigned int x) {
  return (float)x * 2.3283064e-10f + 1.1641532e-10f;
}

__device__ inline float2 philox_normal(unsigned int x, unsigned int y) {
  float angle = (float)y * 1.46291807e-09f + 7.31459036e-10f;
  float radius = sqrtf(-2.0f * logf(philox_uniform(x)));
  return make_float2(__sinf(angle) * radius, __cosf(angle) * radius);
}

__device__ inline float curand_uniform(curandStatePhilox4_32_10_t* state) { return philox_uniform(curand(state)); }

__device__ inline float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  uint4 x = curand4(state);
  return make_float4(philox_uniform(x.x), philox_uniform(x.y), philox_uniform(x.z), philox_uniform(x.w));
}

__device__ inline float2 curand_normal2(curandStatePhilox4_32_10_t* state) {
  unsigned int x = curand(state);
  unsigned int y = curand(state);
  return philox_normal(x, y);
}

__device__ inline float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  uint4 x = curand4(state);
  float2 a = philox_normal(x.x, x.y), b = philox_normal(x.z, x.w);
  return make_float4(a.x, a.y, b.x, b.y);
}

// Normal numbers come in pairs: the second waits for the next call.
__device__ inline float curand_normal(curandStatePhilox4_32_10_t* state) {
  if (state->boxmuller_flag != 0) {
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
  }
  float2 pair = curand_normal2(state);
  state->boxmuller_flag = 1;
  state->boxmuller_extra = pair.y;
  return pair.x;
}
