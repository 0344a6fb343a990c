#include <metal_stdlib>
using namespace metal;

// support library: cu::atomic_add

// flags: --gradient centre_forward=centre_backward
// One block per row: subtracts the row's mean and scales; the mean is saved for the backward pass.
[[kernel]] void centre_forward(
    const device float* x [[buffer(0)]],
    const device float* scale [[buffer(1)]],
    const constant int& columns [[buffer(2)]],
    device float* y [[buffer(3)]],
    device float* mean [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup float sum;
  if (thread_position_in_threadgroup.x == 0) sum = 0.0f;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (int c = thread_position_in_threadgroup.x; c < columns; c += threads_per_threadgroup.x) cu::atomic_add(&sum, x[threadgroup_position_in_grid.x * columns + c]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (int c = thread_position_in_threadgroup.x; c < columns; c += threads_per_threadgroup.x) {
    const int i = threadgroup_position_in_grid.x * columns + c;
    y[i] = (x[i] - sum / columns) * scale[c];
  }
  if (thread_position_in_threadgroup.x == 0) mean[threadgroup_position_in_grid.x] = sum / columns;
}

// dx is written, dscale added up over all rows.
[[kernel]] void centre_backward(
    const device float* x [[buffer(0)]],
    const device float* scale [[buffer(1)]],
    const device float* mean [[buffer(2)]],
    const device float* dy [[buffer(3)]],
    const constant int& columns [[buffer(4)]],
    device float* dx [[buffer(5)]],
    device float* dscale [[buffer(6)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup float sum;
  if (thread_position_in_threadgroup.x == 0) sum = 0.0f;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (int c = thread_position_in_threadgroup.x; c < columns; c += threads_per_threadgroup.x) cu::atomic_add(&sum, dy[threadgroup_position_in_grid.x * columns + c] * scale[c]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (int c = thread_position_in_threadgroup.x; c < columns; c += threads_per_threadgroup.x) {
    const int i = threadgroup_position_in_grid.x * columns + c;
    dx[i] = dy[i] * scale[c] - sum / columns;
    cu::atomic_add(&dscale[c], dy[i] * (x[i] - mean[threadgroup_position_in_grid.x]));
  }
}
