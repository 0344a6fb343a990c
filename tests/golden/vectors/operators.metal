#include <metal_stdlib>
using namespace metal;

inline float dot_(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

[[kernel]] void midpoint(
    const device float* a [[buffer(0)]],
    const device float* b [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  const device packed_float3* a_packed_float3 = (const device packed_float3*)a;
  const device packed_float3* b_packed_float3 = (const device packed_float3*)b;
  float3 s = a_packed_float3[thread_position_in_threadgroup.x] + b_packed_float3[thread_position_in_threadgroup.x];
  y[thread_position_in_threadgroup.x] = dot_(s, s);
}

[[kernel]] void walk(
    const device float* v [[buffer(0)]],
    const constant float& t [[buffer(1)]],
    device float* y [[buffer(2)]],
    device float* z [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  const device packed_float3* v_packed_float3 = (const device packed_float3*)v;
  device packed_float3* y_packed_float3 = (device packed_float3*)y;
  device float2* z_float2 = (device float2*)z;
  float3 p = v_packed_float3[thread_position_in_threadgroup.x];
  p += t * v_packed_float3[thread_position_in_threadgroup.x + 1];
  y_packed_float3[thread_position_in_threadgroup.x] = -p;
  float2 q = float2(p.x, p.y);
  q /= p.z;
  z_float2[thread_position_in_threadgroup.x] = q;
}
