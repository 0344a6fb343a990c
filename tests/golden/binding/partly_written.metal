#include <metal_stdlib>
using namespace metal;

// support library: cu::atomic_add

// Outputs of which data decide what is written (notes), and outputs of which they do not.
constexpr constant int WIDTH = 16;

[[kernel]] void masked(
    const device float* x [[buffer(0)]],
    const device int* lengths [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device float* y [[buffer(3)]],
    device float* z [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= n) return;
  const int length = min(lengths[threadgroup_position_in_grid.y], n);
  if (i < length) {
    y[i] = x[i];
    z[i] = 2.0f * x[i];
  }
}

[[kernel]] void skipped(
    const device int* boxes [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* area [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threadgroups_per_grid [[threadgroups_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  for (int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x; i < n; i += threadgroups_per_grid.x * threads_per_threadgroup.x) {
    int side = boxes[i];
    side += 1;
    if (side <= 0) {
      continue;
    }
    area[i] = side * side;
  }
}

[[kernel]] void both_branches(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) {
    if (x[i] > 0.0f)
      y[i] = x[i];
    else
      y[i] = 0.0f;
  }
}

[[kernel]] void written_before(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  y[i] = 0.0f;
  if (x[i] > 0.0f) y[i] = x[i];
}

[[kernel]] void sizes_only(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
  int i = threadgroup_position_in_grid.x * WIDTH + thread_position_in_threadgroup.x;
  const int row_size = min(n - int(threadgroup_position_in_grid.x) * WIDTH, WIDTH);
  if (thread_position_in_threadgroup.x < row_size) y[i] = x[i];
  if (thread_position_in_threadgroup.x == 0 && n > WIDTH) return;
}

[[kernel]] void zeroed(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    device float* sum [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  int i = thread_position_in_threadgroup.x;
  if (x[i] > 0.0f) y[i] = x[i];
  cu::atomic_add(sum, x[i]);
}

[[kernel]] void scattered(
    const device float* x [[buffer(0)]],
    const device int* order [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device float* y [[buffer(3)]],
    device float* z [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= n) return;
  int at = order[i];
  y[at] = x[i];
  *(z + at) = x[i];
}
