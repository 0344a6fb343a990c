#include <metal_stdlib>
using namespace metal;

inline float twice(const device float* p) { return *p * 2.0f; }

// Returns in helpers: of all threads or none; of some, before a barrier of the helper's or of one that it calls.
inline void halved(uint3 thread_position_in_threadgroup, threadgroup float *s, int stride) {
  for (int o = stride; o > 0; o >>= 1) {
    if (thread_position_in_threadgroup.x < o) s[thread_position_in_threadgroup.x] += s[thread_position_in_threadgroup.x + o];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
}

inline float summed(uint3 thread_position_in_threadgroup, uint3 threads_per_threadgroup, threadgroup float *s, float v, int n) {
  if (n <= 1) return v;
  s[thread_position_in_threadgroup.x] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  halved(thread_position_in_threadgroup, s, threads_per_threadgroup.x / 2);
  if (thread_position_in_threadgroup.x == 0) return s[0];
  return 0.0f;
}

inline float late(uint3 thread_position_in_threadgroup, uint3 threads_per_threadgroup, threadgroup float *s, float v, int i, int n) {
  if (i >= n) return 0.0f;  // warning: CU4206
  return summed(thread_position_in_threadgroup, threads_per_threadgroup, s, v, 2);
}

// Threads that return before a barrier stay behind a flag: Metal's barriers want the whole threadgroup.
[[kernel]] void neighbours(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup float tile[64];
  const int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  const bool cu_active = !(i >= n);
  const float own = cu_active ? x[i] : float();
  const int other = (thread_position_in_threadgroup.x + 1) % 64;
  if (cu_active) tile[thread_position_in_threadgroup.x] = own;
#pragma unroll
  for (int k = 0; cu_active && (k < 2); ++k) tile[thread_position_in_threadgroup.x] += k;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (cu_active) if (i + 1 < n) y[i] = own + tile[other];
}

// What they do on the way out, a second way out, one that all take, and a loop of barriers.
[[kernel]] void rounds(
    const device float* x [[buffer(0)]],
    const device int* skip [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    const constant int& width [[buffer(3)]],
    device float* y [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup float sums[32];
  if (n == 0) return;
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  const bool cu_active = !(i >= n); if (!cu_active) {
    if (i < n + 4) y[i] = -1.0f;
  }
  const bool cu_active_2 = cu_active && !(skip[i] > 0);
  auto first = cu_active_2 ? twice(x + i) : float();
  if (cu_active_2) sums[thread_position_in_threadgroup.x] = first;
  if (width < 0) return;
  for (int k = 0; k < min(width, 3); ++k) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    float v = cu_active_2 ? sums[thread_position_in_threadgroup.x] : float();
    if (cu_active_2) sums[thread_position_in_threadgroup.x] = v + k;
    if (k == 1) {
      threadgroup_barrier(mem_flags::mem_threadgroup);
      if (cu_active_2) sums[thread_position_in_threadgroup.x] += 1.0f;
    }
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (cu_active_2) if (x[i] < 0.0f) return;
  if (cu_active_2) y[i] = sums[thread_position_in_threadgroup.x];
}

// All threads of a block leave together: nothing to do.
[[kernel]] void together(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup float tile[32];
  if (threadgroup_position_in_grid.x * threads_per_threadgroup.x >= n) return;
  tile[thread_position_in_threadgroup.x] = x[thread_position_in_threadgroup.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x] = tile[31 - thread_position_in_threadgroup.x];
}

// How often they wait hangs on the thread: left as it is.
[[kernel]] void uneven(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  threadgroup float tile[32];
  if (thread_position_in_threadgroup.x >= n) return;  // warning: CU4206
  for (int k = 0; k < x[thread_position_in_threadgroup.x]; ++k) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    tile[thread_position_in_threadgroup.x] = k;
  }
  y[thread_position_in_threadgroup.x] = tile[thread_position_in_threadgroup.x];
}

[[kernel]] void in_helpers(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup float s[64];
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  float v = summed(thread_position_in_threadgroup, threads_per_threadgroup, s, i < n ? x[i] : 0.0f, n);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  v += late(thread_position_in_threadgroup, threads_per_threadgroup, s, 1.0f, i, n);
  if (thread_position_in_threadgroup.x == 0) y[threadgroup_position_in_grid.x] = v;
}
