// What CUDA predefines in device code: indices, barriers, fences, printf, assert, clocks.
#pragma once
#include "../engine.h"
#include "vector_types.h"
#include <time.h>
#include <cstdio>
#include <initializer_list>

namespace cudashim {

inline uint3 to_uint3(engine::Dim3 d) { return uint3{d.x, d.y, d.z}; }
inline dim3 to_dim3(engine::Dim3 d) { return dim3(d.x, d.y, d.z); }

// A counter that only grows: it orders events, and says nothing about cycles.
inline long long tick() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000ll + now.tv_nsec;
}

}  // namespace cudashim

#define threadIdx (::cudashim::to_uint3(::engine::thread_index()))
#define blockIdx (::cudashim::to_uint3(::engine::block_index()))
#define blockDim (::cudashim::to_dim3(::engine::block_dim()))
#define gridDim (::cudashim::to_dim3(::engine::grid_dim()))
static constexpr int warpSize = 32;

static inline void __syncthreads() { ::engine::barrier(); }
static inline int __syncthreads_count(int predicate) { return int(::engine::barrier_vote(predicate != 0).yes); }
static inline int __syncthreads_and(int predicate) {
  ::engine::Votes votes = ::engine::barrier_vote(predicate != 0);
  return votes.yes == votes.arrived;
}
static inline int __syncthreads_or(int predicate) { return ::engine::barrier_vote(predicate != 0).yes != 0; }
static inline void __syncwarp(unsigned int mask = 0xffffffffu) { ::engine::simd_barrier(mask); }

static inline void __threadfence_block() { ::engine::device_fence(); }
static inline void __threadfence() { ::engine::device_fence(); }
static inline void __threadfence_system() { ::engine::device_fence(); }

static inline void __nanosleep(unsigned int) { ::engine::yield(); }
[[noreturn]] static inline void __trap() { ::engine::stop("__trap() was executed"); }
static inline void __brkpt() {}
#define clock64() (::cudashim::tick())
#define clock() (clock_t(::cudashim::tick()))
static inline unsigned long long __globaltimer() { return (unsigned long long)::cudashim::tick(); }

#define printf(...) ::engine::print(__VA_ARGS__)
#undef assert
// Always on: some compilers (zig) define NDEBUG of themselves.
#define CUDASHIM_TEXT(x) #x
#define CUDASHIM_LINE(x) CUDASHIM_TEXT(x)
#define assert(...) \
  ((__VA_ARGS__) ? (void)0 : ::engine::stop("assertion failed, line " CUDASHIM_LINE(__LINE__) ": " #__VA_ARGS__))
#define __builtin_assume(condition) ((void)0)
#define __assume(condition) ((void)0)
