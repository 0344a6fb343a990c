#include <metal_stdlib>
using namespace metal;

// Lambdas that capture nothing, or by name, and use what CUDA has everywhere: indices, shared memory, helpers of both.
inline int mine(uint3 threadgroup_position_in_grid, uint3 threads_per_threadgroup, uint3 thread_position_in_threadgroup) { return threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x; }

inline float near(uint3 threadgroup_position_in_grid, uint3 threads_per_threadgroup, uint3 thread_position_in_threadgroup, const device float *x, int n) {
  auto at = [x, n, &threadgroup_position_in_grid, &threads_per_threadgroup, &thread_position_in_threadgroup](int d) { return x[(threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x + d) % n]; };
  return at(0) + at(1);
}

template <typename F>
inline void each(uint3 threadgroup_position_in_grid, uint3 threads_per_threadgroup, uint3 thread_position_in_threadgroup, uint3 threadgroups_per_grid, int n, F f) { for (int i = mine(threadgroup_position_in_grid, threads_per_threadgroup, thread_position_in_threadgroup); i < n; i += threadgroups_per_grid.x * threads_per_threadgroup.x) f(i); }

[[kernel]] void captures(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup float tile[128];
  const int i = [&threadgroup_position_in_grid, &threads_per_threadgroup, &thread_position_in_threadgroup] { return mine(threadgroup_position_in_grid, threads_per_threadgroup, thread_position_in_threadgroup); }();
  auto put = [&thread_position_in_threadgroup, &tile](float v) { tile[thread_position_in_threadgroup.x] = v; };
  put(i < n ? x[i] : 0.0f);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  auto get = [&threads_per_threadgroup, &thread_position_in_threadgroup, &tile] (int j) {
    auto inner = [&](int k) { return tile[(k + thread_position_in_threadgroup.x) % threads_per_threadgroup.x]; };
    return inner(j) + 32;
  };
  auto own = [i](int j) { float tile[2] = {1.0f, 2.0f}; return tile[(i + j) % 2]; };
  if (i < n) y[i] = get(1) + near(threadgroup_position_in_grid, threads_per_threadgroup, thread_position_in_threadgroup, x, n) + own(3);
}

[[kernel]] void annotated(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threadgroups_per_grid [[threadgroups_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  each(threadgroup_position_in_grid, threads_per_threadgroup, thread_position_in_threadgroup, threadgroups_per_grid, n, [=] (int j) { y[j] = x[j] + thread_position_in_threadgroup.x; });
}
