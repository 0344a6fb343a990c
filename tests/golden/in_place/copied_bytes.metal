#include <metal_stdlib>
using namespace metal;

// support library: cu::inout_ptr, cu::inout, cu::memcpy, cu::memset

// memcpy and memset on a buffer that the kernel also reads.
[[kernel]] void shift_rows(
    const device float* rows_in [[buffer(0)]],
    const device float* first [[buffer(1)]],
    const constant int& width [[buffer(2)]],
    device uint* rows_delta [[buffer(3)]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
  cu::inout_ptr<float> rows = cu::inout<float>(rows_in, rows_delta);
  cu::inout_ptr<float> row = rows + threadgroup_position_in_grid.x * width;
  float kept = row.base[width - 1];
  cu::memcpy(row, first, (width / 2) * sizeof(float));
  cu::memset(row + width / 2, 0, (width - width / 2) * sizeof(float));
  row[width - 1] += kept;
}
