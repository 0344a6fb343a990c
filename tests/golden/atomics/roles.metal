#include <metal_stdlib>
using namespace metal;

// support library: cu::atomic_add, cu::inout_ptr, cu::inout

// A buffer that is only added to is accumulated; where a result is used it is read and written.
[[kernel]] void histogram(
    const device int* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* bins [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) cu::atomic_add(&bins[x[i]], 1);
}

[[kernel]] void scatter_add(
    const device float* x [[buffer(0)]],
    const device int* index [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device float* out [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) cu::atomic_add(out + index[i], x[i]);
}

[[kernel]] void compact(
    const device float* x [[buffer(0)]],
    const device uint* used_in [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device float* out [[buffer(3)]],
    device uint* used_delta [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<uint> used = cu::inout<uint>(used_in, used_delta);
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n && x[i] > 0.0f) {
    uint slot = cu::atomic_add(used, 1u);
    out[slot] = x[i];
  }
}
