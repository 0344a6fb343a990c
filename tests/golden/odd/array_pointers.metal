#include <metal_stdlib>
using namespace metal;

// Of records: the grammar would take `Cell (*rows)[8]` for a call.
struct Cell { float a; int b; };

template <int N>
inline float sum(const threadgroup Cell (*rows)[N], int r) {
  float s = 0.0f;
  for (int j = 0; j < N; ++j) s += rows[r][j].a * rows[r][j].b;
  return s;
}

[[kernel]] void rows_of_a_tile(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup float tile[4][16];
  threadgroup float (*rows)[16] = tile;
  int t = thread_position_in_threadgroup.x, i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  rows[t / 16][t % 16] = i < n ? in[i] : 0.0f;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  threadgroup float *other = rows[(t / 16) ^ 1];
  if (i < n) out[i] = other[t % 16] + *(rows[0] + t % 16) + (*rows)[3];
}

// dynamic_shared_bytes: the launch's dynamic shared memory
template <int dynamic_shared_bytes>
[[kernel]] void rows_of_dynamic_memory(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup uint4 dynamic_shared[(dynamic_shared_bytes + 15) / 16];
  threadgroup uchar* raw = (threadgroup uchar*)dynamic_shared;
  threadgroup half (*keys)[8] = reinterpret_cast<threadgroup half(*)[8]>(raw);
  int t = thread_position_in_threadgroup.x, i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  keys[t / 8][t % 8] = half(i < n ? in[i] : 0.0f);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < n) out[i] = float(keys[t / 8 ^ 1][t % 8]);
}

[[kernel]] void rows_of_its_own(
    const device int* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x), own[2][3] = {{1, 2, 3}, {4, 5, 6}};
  thread int (*row)[3] = own;
  ++row;
  if (i < n) out[i] = (*row)[i % 3] * in[i] + row[-1][0];
}

[[kernel]] void of_records(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup Cell tile[4][8];
  int t = thread_position_in_threadgroup.x;
  if (t < 32) tile[t / 8][t % 8] = Cell{x[t % n], t};
  threadgroup_barrier(mem_flags::mem_threadgroup);
  threadgroup Cell (*rows)[8] = tile;
  threadgroup Cell (*later)[8];
  later = rows + 1;
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + t;
  if (i < n) y[i] = sum(tile, i % 4) + rows[1][i % 8].a + later[1][0].b;
}
