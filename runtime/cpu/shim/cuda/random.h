// cuRAND's device API for the counter-based generator (Philox 4x32-10), exactly; XORWOW is not covered.
#pragma once
#include "math_functions.h"
#include "vector_types.h"
#include <cstdint>

struct curandStatePhilox4_32_10 {
  uint4 counter, output;
  uint2 key;
  unsigned used;            // how many of `output` have been handed out
  bool has_normal;
  float spare_normal;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

namespace cudashim {

inline uint4 philox_round(uint4 c, uint2 key) {
  uint64_t first = uint64_t(0xD2511F53u) * c.x, second = uint64_t(0xCD9E8D57u) * c.z;
  return uint4{unsigned(second >> 32) ^ c.y ^ key.x, unsigned(second), unsigned(first >> 32) ^ c.w ^ key.y, unsigned(first)};
}

inline uint4 philox(uint4 counter, uint2 key) {
  for (int i = 0; i < 10; ++i) {
    if (i > 0) key = uint2{key.x + 0x9E3779B9u, key.y + 0xBB67AE85u};
    counter = philox_round(counter, key);
  }
  return counter;
}

inline void philox_advance(uint4& counter, uint64_t n) {
  uint64_t low = (uint64_t(counter.y) << 32 | counter.x), high = (uint64_t(counter.w) << 32 | counter.z);
  uint64_t sum = low + n;
  high += sum < low;
  counter = uint4{unsigned(sum), unsigned(sum >> 32), unsigned(high), unsigned(high >> 32)};
}

// (0, 1]: 2^-33 steps from 2^-33.
inline float to_uniform(unsigned x) { return x * 2.3283064365386963e-10f + (2.3283064365386963e-10f / 2.0f); }

inline float2 box_muller(unsigned x, unsigned y) {
  float u = to_uniform(x), v = y * 1.46291807e-09f + (1.46291807e-09f / 2.0f);
  float radius = std::sqrt(-2.0f * std::log(u));
  return float2{std::sin(v) * radius, std::cos(v) * radius};
}

}  // namespace cudashim

static inline void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  uint64_t position = state->used + n;
  ::cudashim::philox_advance(state->counter, position / 4);
  state->used = unsigned(position % 4);
  state->output = ::cudashim::philox(state->counter, state->key);
}
static inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                               curandStatePhilox4_32_10_t* state) {
  state->counter = uint4{0, 0, unsigned(subsequence), unsigned(subsequence >> 32)};
  state->key = uint2{unsigned(seed), unsigned(seed >> 32)};
  state->used = 0;
  state->has_normal = false;
  skipahead(offset, state);
}
static inline unsigned curand(curandStatePhilox4_32_10_t* state) {
  const unsigned values[4] = {state->output.x, state->output.y, state->output.z, state->output.w};
  unsigned result = values[state->used++];
  if (state->used == 4) {
    ::cudashim::philox_advance(state->counter, 1);
    state->output = ::cudashim::philox(state->counter, state->key);
    state->used = 0;
  }
  return result;
}
static inline uint4 curand4(curandStatePhilox4_32_10_t* state) {
  return uint4{curand(state), curand(state), curand(state), curand(state)};
}
static inline float curand_uniform(curandStatePhilox4_32_10_t* state) { return ::cudashim::to_uniform(curand(state)); }
static inline float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  return float4{curand_uniform(state), curand_uniform(state), curand_uniform(state), curand_uniform(state)};
}
static inline float2 curand_normal2(curandStatePhilox4_32_10_t* state) {
  unsigned x = curand(state), y = curand(state);
  return ::cudashim::box_muller(x, y);
}
static inline float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  float2 a = curand_normal2(state), b = curand_normal2(state);
  return float4{a.x, a.y, b.x, b.y};
}
static inline float curand_normal(curandStatePhilox4_32_10_t* state) {
  if (state->has_normal) {
    state->has_normal = false;
    return state->spare_normal;
  }
  float2 pair = curand_normal2(state);
  state->has_normal = true;
  state->spare_normal = pair.y;
  return pair.x;
}
