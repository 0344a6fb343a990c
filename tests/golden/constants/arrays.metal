#include <metal_stdlib>
using namespace metal;

// Constant memory with a value stays; without one the host fills it, so it is an argument.
constant float taps[5] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};

constant int offsets[2][3] = {{-1, 0, 1}, {-2, 0, 2}};

constexpr constant int kStep = 2;

inline float distance_(const device float4* planes, const device packed_float3* origin, const device float (*weights)[8], float3 p, int k) {
  float4 q = planes[k];
  return q.x * (p.x - (*origin).x) + q.y * (p.y - (*origin).y) + q.z * (p.z - (*origin).z) + q.w * weights[1][k];
}

[[kernel]] void filter(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  float sum = 0.0f;
  for (int k = 0; k < 5; ++k) sum += taps[k] * x[max(0, min(i + (k - 2) * kStep, n - 1))];
  y[i] = sum + offsets[1][i % 3];
}

[[kernel]] void project(
    const device float* x [[buffer(0)]],
    const device float* weights [[buffer(1)]],
    const device float* bias [[buffer(2)]],
    device float* y [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  const device float (*weights_typed)[8] = (const device float (*)[8])weights;
  float sum = (*bias);
  for (int k = 0; k < 8; ++k) sum += weights_typed[thread_position_in_threadgroup.x % 4][k] * x[k];
  y[thread_position_in_threadgroup.x] = sum;
}

[[kernel]] void inside(
    const device float* points [[buffer(0)]],
    const device float* weights [[buffer(1)]],
    const device float* origin [[buffer(2)]],
    const device float* planes [[buffer(3)]],
    device int* y [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  const device packed_float3* points_packed_float3 = (const device packed_float3*)points;
  const device float (*weights_typed)[8] = (const device float (*)[8])weights;
  const device packed_float3* origin_typed = (const device packed_float3*)origin;
  const device float4* planes_typed = (const device float4*)planes;
  int all = 1;
  for (int k = 0; k < 6; ++k) all &= distance_(planes_typed, origin_typed, weights_typed, points_packed_float3[thread_position_in_threadgroup.x], k) > planes_typed[0].w;
  y[thread_position_in_threadgroup.x] = all;
}
