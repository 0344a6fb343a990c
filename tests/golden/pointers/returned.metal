#include <metal_stdlib>
using namespace metal;

// Helpers that return pointers and references into their arguments' memory.
inline device float* row_of(device float* base, int row, int width) { return base + row * width; }

inline threadgroup float& at(threadgroup float* base, int i) { return base[i]; }

[[kernel]] void fill(
    const constant int& width [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
  threadgroup float s[64];
  at(s, thread_position_in_threadgroup.x) = thread_position_in_threadgroup.x;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  device float* row = row_of(y, threadgroup_position_in_grid.x, width);
  row[thread_position_in_threadgroup.x] = at(s, 63 - thread_position_in_threadgroup.x);
}
