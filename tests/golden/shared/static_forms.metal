#include <metal_stdlib>
using namespace metal;

// Static shared memory: 1-D, 2-D with padding, a scalar, struct elements, a size from sizeof.
#define TILE 32

struct Pair {
  float value;
  int index;
};

[[kernel]] void transpose(
    const device float* in [[buffer(0)]],
    const constant int& w [[buffer(1)]],
    const constant int& h [[buffer(2)]],
    device float* out [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
  threadgroup float tile[TILE][TILE + 1];  // padded against bank conflicts
  int x = threadgroup_position_in_grid.x * TILE + thread_position_in_threadgroup.x;
  int y = threadgroup_position_in_grid.y * TILE + thread_position_in_threadgroup.y;
  if (x < w && y < h) tile[thread_position_in_threadgroup.y][thread_position_in_threadgroup.x] = in[y * w + x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x = threadgroup_position_in_grid.y * TILE + thread_position_in_threadgroup.x;
  y = threadgroup_position_in_grid.x * TILE + thread_position_in_threadgroup.y;
  if (x < h && y < w) out[y * h + x] = tile[thread_position_in_threadgroup.x][thread_position_in_threadgroup.y];
}

[[kernel]] void argmax(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* best [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  threadgroup Pair pairs[64];
  threadgroup int used;
  if (thread_position_in_threadgroup.x == 0) used = min(n, 64);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (thread_position_in_threadgroup.x < used) {
    pairs[thread_position_in_threadgroup.x].value = x[thread_position_in_threadgroup.x];
    pairs[thread_position_in_threadgroup.x].index = thread_position_in_threadgroup.x;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (thread_position_in_threadgroup.x == 0) {
    Pair p = pairs[0];
    for (int i = 1; i < used; ++i)
      if (pairs[i].value > p.value) p = pairs[i];
    best[0] = p.index;
  }
}

[[kernel]] void centroids(
    const device float* points [[buffer(0)]],
    device float* out [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  const device packed_float3* points_packed_float3 = (const device packed_float3*)points;
  threadgroup packed_float3 cache[12 * 32 / sizeof(packed_float3)];
  cache[thread_position_in_threadgroup.x] = points_packed_float3[thread_position_in_threadgroup.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float3 next = cache[(thread_position_in_threadgroup.x + 1) % 32];
  out[thread_position_in_threadgroup.x] = next.x + next.y + next.z;
}
