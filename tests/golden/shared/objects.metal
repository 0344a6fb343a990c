#include <metal_stdlib>
using namespace metal;

template <typename T>
inline T last(threadgroup uint4* dynamic_shared, uint3 threads_per_threadgroup) { threadgroup T *s = ((threadgroup T*)dynamic_shared); return s[threads_per_threadgroup.x - 1]; }

template <typename T> struct Dynamic {
  threadgroup T* get(threadgroup uint4* dynamic_shared) { threadgroup uchar* bytes = (threadgroup uchar*)dynamic_shared; return reinterpret_cast<threadgroup T*>(bytes); }
};

// dynamic_shared_bytes: the launch's dynamic shared memory
template <typename T, int dynamic_shared_bytes>
[[kernel]] void sums(
    const device T* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device T* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup uint4 dynamic_shared[(dynamic_shared_bytes + 15) / 16];
  threadgroup T *s = ((threadgroup T*)dynamic_shared);
  int t = thread_position_in_threadgroup.x, i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + t;
  s[t] = i < n ? x[i] : T(0);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  T end = last<T>(dynamic_shared, threads_per_threadgroup);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (int o = threads_per_threadgroup.x / 2; o > 0; o >>= 1) {
    if (t < o) s[t] += s[t + o];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (t == 0) y[threadgroup_position_in_grid.x] = s[0] + end;
}

// dynamic_shared_bytes: the launch's dynamic shared memory
template <int dynamic_shared_bytes>
[[kernel]] void turned(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup uint4 dynamic_shared[(dynamic_shared_bytes + 15) / 16];
  Dynamic<float> dynamic;
  threadgroup float *s = dynamic.get(dynamic_shared), *same = ((threadgroup float*)dynamic_shared);
  int t = thread_position_in_threadgroup.x, i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + t;
  s[t] = i < n ? x[i] : 0.0f;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < n) y[i] = same[threads_per_threadgroup.x - 1 - t];
}
