#include <metal_stdlib>
using namespace metal;

// support library: cu::inout_ptr, cu::inout

template <typename F>
inline void each(uint3 threadgroup_position_in_grid, uint3 threads_per_threadgroup, uint3 thread_position_in_threadgroup, uint3 threadgroups_per_grid, int n, F f) {
  for (int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); i < n; i += threads_per_threadgroup.x * threadgroups_per_grid.x) f(i);
}

struct Scale { float by; float operator()(float x) const { return x * by; } };

struct Count { int n; void operator()(int k) { n += k; } };

template <typename F>
inline void thrice(thread F &f) { for (int k = 0; k < 3; ++k) f(k); }

template <typename F>
inline float apply(F f, float x) { return f(x); }

template <typename T, typename F>
inline T fold(const device T *x, int n, T init, F f) {
  for (int i = 0; i < n; ++i) init = f(init, x[i]);
  return init;
}

[[kernel]] void lambdas(
    const device float* out_in [[buffer(0)]],
    const device float* in [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device uint* out_delta [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threadgroups_per_grid [[threadgroups_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<float> out = cu::inout<float>(out_in, out_delta);
  each(threadgroup_position_in_grid, threads_per_threadgroup, thread_position_in_threadgroup, threadgroups_per_grid, n, [=](int i) { out[i] = in[i] * 2; });
  auto more = [&](int i) { out[i] += 1.0f; };
  each(threadgroup_position_in_grid, threads_per_threadgroup, thread_position_in_threadgroup, threadgroups_per_grid, n, more);
}

[[kernel]] void functors(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  Count count{1};
  thrice(count);
  if (i < n) out[i] = apply(Scale{3.0f}, in[i]) + fold(in, min(n, 5), 1.0f, [](float a, float b) { return fmax(a, b); }) + count.n;
}
