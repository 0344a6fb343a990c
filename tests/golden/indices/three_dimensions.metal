#include <metal_stdlib>
using namespace metal;

// All three dimensions, whole index values in variables, and warpSize.
[[kernel]] void volume(
    const device float* in [[buffer(0)]],
    const constant int& w [[buffer(1)]],
    const constant int& h [[buffer(2)]],
    const constant int& d [[buffer(3)]],
    device float* out [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threadgroups_per_grid [[threadgroups_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  const uint3 t = thread_position_in_threadgroup;
  const uint3 b = threadgroup_position_in_grid;
  int x = b.x * threads_per_threadgroup.x + t.x, y = b.y * threads_per_threadgroup.y + t.y, z = b.z * threads_per_threadgroup.z + t.z;
  if (x >= w || y >= h || z >= d) return;
  out[(z * h + y) * w + x] = in[(z * h + y) * w + x] + threadgroups_per_grid.z;
}

[[kernel]] void lanes(
    device int* lane [[buffer(0)]],
    device int* warp [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  lane[thread_position_in_threadgroup.x] = thread_position_in_threadgroup.x & (32 - 1);
  warp[thread_position_in_threadgroup.x] = thread_position_in_threadgroup.x / 32;
}
