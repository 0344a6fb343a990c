#include <metal_stdlib>
using namespace metal;

// `c ? a : b` of records and 3-vectors that live in different memory; a class that derives from its own template.
struct Best { float v; int i; };

template <typename D> struct Base {
  float apply(float v) const { return static_cast<const thread D*>(this)->f(v) + 1.0f; }
};

struct Square : Base<Square> { float f(float v) const { return v * v; } };

[[kernel]] void choices(
    const device float* x [[buffer(0)]],
    const device float* p [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device float* y [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  const device packed_float3* p_packed_float3 = (const device packed_float3*)p;
  threadgroup Best best[128];
  threadgroup packed_float3 spots[128];
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x, t = thread_position_in_threadgroup.x;
  Best mine{i < n ? x[i] : 0.0f, i};
  best[t] = mine;
  float3 zero = float3(0, 0, 0);
  spots[t] = i < n ? float3(p_packed_float3[i]) : zero;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  Best a = t > 0 ? Best(best[t - 1]) : mine, b = t > 64 ? mine : Best(best[t + 1]), c = t & 1 ? best[0] : best[1];
  float3 d = t > 3 ? float3(spots[t - 3]) : float3(1, 2, 3), e = t > 3 ? float3(p_packed_float3[t % n]) : float3(spots[t]);
  if (i < n) y[i] = a.v + a.i + b.v + c.v + d.x + e.y + (t > 5 ? float3(spots[t]) : zero).z + Square().apply(x[i]);
}
