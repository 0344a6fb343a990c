#include <metal_stdlib>
using namespace metal;

// support library: cu::bit_value, cu::bit_value_of_record, cu::inout_ptr

// Methods that change an element of a buffer that the kernel reads too: MLX's buffers are one to read, one to write.
struct Cell {
  float p;
  int hits;
  void hit(float v) { p += v; hits++; }
  float get() const { return p; }
  static int none() { return 0; }
};

template <>
struct cu::bit_value<Cell> : cu::bit_value_of_record<Cell> {};

[[kernel]] void whole(
    const device uchar* cells_in [[buffer(0)]],
    const device int* at [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device uchar* cells_delta [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<Cell> cells = cu::inout_ptr<uchar>(cells_in, cells_delta).as<Cell>();
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= n) return;
  Cell cell = cells.base[at[i]];
  cell.hit(cells.base[i].get() + Cell::none());
  cells[at[i]] = cell;
}
