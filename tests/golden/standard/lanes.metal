#include <metal_stdlib>
using namespace metal;

// support library: cu::lanes, cu::lanes4

// Names for the lanes of vectors: copies, and references to where the vector lives.
[[kernel]] void lanes(
    const device float* x [[buffer(0)]],
    const device float* points [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device float* y [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  const device float2* x_float2 = (const device float2*)x;
  const device packed_float3* points_packed_float3 = (const device packed_float3*)points;
  threadgroup float4 tile[128];
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  auto [a, b] = cu::lanes(i < n ? x_float2[i] : float2(1.0f, 2.0f));
  const auto [c, d] = cu::lanes(float2(a + 1, b + 1));
  tile[thread_position_in_threadgroup.x] = float4(a, b, c, d);
  threadgroup auto& [e, f, g, h] = *(threadgroup cu::lanes4<float>*)&tile[thread_position_in_threadgroup.x];
  e += 1.0f;
  int4 q = int4(1, 2, 3, 4);
  thread auto& [j, k, l, m] = *(thread cu::lanes4<int>*)&q;
  m = min(j, k + l);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const auto [o, p, s, t] = cu::lanes(tile[127 - thread_position_in_threadgroup.x]);
  if (i >= n) return;
  auto [u, v, w] = cu::lanes(float3(points_packed_float3[i]));
  y[i] = a * b + c * d + f + g + h + q.w + o + p + s + t + u + v * w;
}
