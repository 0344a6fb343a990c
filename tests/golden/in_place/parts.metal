#include <metal_stdlib>
using namespace metal;

// support library: cu::bit_value, cu::bit_value_of_record, cu::inout_ptr, cu::lane, cu::part, cu::atomic_add, cu::inout_ref

// What a kernel leaves of an element that it writes a part of is there afterwards.
struct Inner { float low, high; };

struct Cell { float value; int label; Inner range; };

template <>
struct cu::bit_value<Cell> : cu::bit_value_of_record<Cell> {};

[[kernel]] void raise_height(
    const device float* points_in [[buffer(0)]],
    const constant uint& cu_size_of_points [[buffer(1)]],
    const device float* height [[buffer(2)]],
    const constant int& n [[buffer(3)]],
    device float* points [[buffer(4)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_grid [[threads_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  device float4* points_float4 = (device float4*)points;
  for (uint cu_i = thread_position_in_grid.x; cu_i < cu_size_of_points / 4; cu_i += threads_per_grid.x) points_float4[cu_i] = ((const device float4*)points_in)[cu_i];
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) points_float4[i].y = height[i];
}

[[kernel]] void relabel(
    const device uchar* cells_in [[buffer(0)]],
    const constant uint& cu_size_of_cells [[buffer(1)]],
    const device int* label [[buffer(2)]],
    const constant int& n [[buffer(3)]],
    device uchar* cells [[buffer(4)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_grid [[threads_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  device Cell* cells_typed = (device Cell*)cells;
  for (uint cu_i = thread_position_in_grid.x; cu_i < cu_size_of_cells / sizeof(Cell); cu_i += threads_per_grid.x) cells_typed[cu_i] = ((const device Cell*)cells_in)[cu_i];
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) {
    cells_typed[i].label = label[i];
    cells_typed[i].range.high = 2.0f;
  }
}

// All parts are written, in whatever way: an output.
[[kernel]] void all_parts(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device uchar* cells [[buffer(2)]],
    device float* pairs [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  device Cell* cells_typed = (device Cell*)cells;
  device float2* pairs_float2 = (device float2*)pairs;
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= n) return;
  cells_typed[i].value = x[i];
  cells_typed[i].label = i;
  device Cell* cell = cells_typed + i;
  cell->value = x[i];
  cell->label = i;
  cell->range = {0.0f, x[i]};
  cells_typed[i].range.low = -x[i];
  (cells_typed[i].range).high = x[i];
  device float2& pair = pairs_float2[i];
  pair.x = x[i];
  pair.y = 1.0f;
}

// Of an element that data name, and that no thread has for its own.
[[kernel]] void somewhere(
    const device float* points_in [[buffer(0)]],
    const device int* order [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device uint* points_delta [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<float4> points = cu::inout_ptr<float>(points_in, points_delta).as<float4>();
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) cu::lane<float>(points[order[i]], 3) = 0.0f;
}

[[kernel]] void members(
    const device uchar* cells_in [[buffer(0)]],
    const device int* order [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device uchar* cells_delta [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<Cell> cells = cu::inout_ptr<uchar>(cells_in, cells_delta).as<Cell>();
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= n) return;
  cu::inout_ptr<Cell> cell = cells + order[i];
  cu::part((*cell), (*cell.base).range.low) = (*cell).get().value;
  cu::atomic_add(&cu::part((*cell), (*cell.base).label), 2);
  cu::inout_ref<float> high = cu::part(cells[order[i]], cells.base[order[i]].range.high);
  high *= 2.0f;
}
