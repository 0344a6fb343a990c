#include <metal_stdlib>
using namespace metal;

// support library: cu::atomic_add, cu::atomic_min

// Atomics in shared memory, then one atomic per block.
[[kernel]] void block_histogram(
    const device uchar* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device uint* bins [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup uint local[256];
  for (int b = thread_position_in_threadgroup.x; b < 256; b += threads_per_threadgroup.x) local[b] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) cu::atomic_add(&local[x[i]], 1u);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (int b = thread_position_in_threadgroup.x; b < 256; b += threads_per_threadgroup.x) cu::atomic_add(&bins[b], local[b]);
}

[[kernel]] void extremes(
    const device float* x [[buffer(0)]],
    device int* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  threadgroup int least;
  threadgroup float sum;
  if (thread_position_in_threadgroup.x == 0) {
    least = numeric_limits<int>::max();
    sum = 0.0f;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  cu::atomic_min(&least, (int)x[thread_position_in_threadgroup.x]);
  cu::atomic_add(&sum, x[thread_position_in_threadgroup.x]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[thread_position_in_threadgroup.x] = least + (int)sum;
}
