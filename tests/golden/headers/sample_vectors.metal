#include <metal_stdlib>
using namespace metal;

inline float3 make_float3(float s) { return float3(s, s, s); }

inline float3 make_float3(float4 a) { return float3(a.x, a.y, a.z); }

inline float3 make_float3(float2 a, float s) { return float3(a.x, a.y, s); }

inline float3 make_float3(int3 a) { return float3((float)a.x, (float)a.y, (float)a.z); }

inline float4 make_float4(float3 a, float s) { return float4(a.x, a.y, a.z, s); }

inline int3 make_int3(float3 a) { return int3((int)a.x, (int)a.y, (int)a.z); }

inline float3 fminf(float3 a, float3 b) { return float3(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)); }

inline float dot_(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

inline float dot_(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

inline float clamp_(float x, float low, float high) { return fmax(low, fmin(x, high)); }

inline int clamp_(int x, int low, int high) { return max(low, min(x, high)); }

inline float3 clamp_(float3 v, float low, float high) { return float3(clamp_(v.x, low, high), clamp_(v.y, low, high), clamp_(v.z, low, high)); }

inline int3 clamp_(int3 v, int low, int high) { return int3(clamp_(v.x, low, high), clamp_(v.y, low, high), clamp_(v.z, low, high)); }

inline float lerp(float a, float b, float t) { return a + t * (b - a); }

inline float fracf(float x) { return x - floor(x); }

inline float3 normalize_(float3 v) { return v * precise::rsqrt(dot_(v, v)); }

inline float3 floorf(float3 v) { return float3(floor(v.x), floor(v.y), floor(v.z)); }

inline float3 fracf(float3 v) { return float3(fracf(v.x), fracf(v.y), fracf(v.z)); }

inline float3 fabs_(float3 v) { return float3(fabs(v.x), fabs(v.y), fabs(v.z)); }

inline float4 lerp(float4 a, float4 b, float t) { return float4(lerp(a.x, b.x, t), lerp(a.y, b.y, t), lerp(a.z, b.z, t), lerp(a.w, b.w, t)); }

inline float length_(float4 v) { return precise::sqrt(dot_(v, v)); }

inline float3 reflect_(float3 v, float3 normal) { return v - 2.0f * normal * dot_(normal, v); }

inline float3 cross_(float3 a, float3 b) { return float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }

[[kernel]] void shade(
    const device float* p [[buffer(0)]],
    const device float* x [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device float* o [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  const device float4* p_float4 = (const device float4*)p;
  device packed_float3* o_packed_float3 = (device packed_float3*)o;
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= n) return;
  float3 a = make_float3(p_float4[i]), b = make_float3(x[i]), c = make_float3(float2(x[i], 2.0f), 1.0f);
  float3 d = cross_(a, c) * 2.0f - b / 3.0f + 1.0f;
  d += -a;
  d *= dot_(a, c);
  float4 q = lerp(p_float4[i], make_float4(d, 1.0f), 0.25f);
  int3 g = make_int3(floorf(d)) + int3(1, 2, 3) * 2;
  float3 e = clamp_(fracf(c), 0.0f, 0.5f) * length_(q) + fminf(a, b) + make_float3(clamp_(g, 0, 5));
  o_packed_float3[i] = normalize_(d) + e + reflect_(a, c) * fmax(x[i], 1.0f) + fabs_(d) * fmax(x[i], float(min(i, 3)));
}
