#include <metal_stdlib>
using namespace metal;

// make_*, members, 3-vectors in memory, in records and in shared memory.
struct Particle {
  packed_float3 position;
  float mass;
};

inline float3 scaled(float3 v, float s) { return float3(v.x * s, v.y * s, v.z * s); }

[[kernel]] void advance(
    const device uchar* particles [[buffer(0)]],
    const device float* velocity [[buffer(1)]],
    const constant float& dt [[buffer(2)]],
    device float* moved [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  const device Particle* particles_typed = (const device Particle*)particles;
  const device packed_float3* velocity_packed_float3 = (const device packed_float3*)velocity;
  device packed_float3* moved_packed_float3 = (device packed_float3*)moved;
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  Particle p = particles_typed[i];
  float3 step = scaled(velocity_packed_float3[i], dt / p.mass);
  moved_packed_float3[i] = float3(p.position.x + step.x, p.position.y + step.y, p.position.z + step.z);
}

[[kernel]] void nearest(
    const device float* points [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* best [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  const device packed_float3* points_packed_float3 = (const device packed_float3*)points;
  device int2* best_int2 = (device int2*)best;
  threadgroup packed_float3 tile[64];
  tile[thread_position_in_threadgroup.x] = points_packed_float3[thread_position_in_threadgroup.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float3 own = tile[thread_position_in_threadgroup.x];
  float least = 1e30f;
  int2 found = int2(-1, 0);
  for (int j = 0; j < n; ++j) {
    float dx = own.x - tile[j].x, dy = own.y - tile[j].y, dz = own.z - tile[j].z;
    float d = dx * dx + dy * dy + dz * dz;
    if (j != thread_position_in_threadgroup.x && d < least) {
      least = d;
      found = int2(j, found.y + 1);
    }
  }
  best_int2[thread_position_in_threadgroup.x] = found;
}
