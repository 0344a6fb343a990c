#include <metal_stdlib>
using namespace metal;

// support library: cu::inout_ptr, cu::inout

// Wide loads and stores through reinterpreted pointers.
[[kernel]] void copy4(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (4 * i < n) {
    float4 v = reinterpret_cast<const device float4*>(in)[i];
    v.w = -v.w;
    *(device float4*)(out + 4 * i) = v;
  }
}

[[kernel]] void bits(
    const device float* x [[buffer(0)]],
    const device uint* y_in [[buffer(1)]],
    device uint* y_delta [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  cu::inout_ptr<uint> y = cu::inout<uint>(y_in, y_delta);
  const int i = thread_position_in_threadgroup.x;
  y[i] = as_type<uint>(x[i]);
  int as_int = *reinterpret_cast<const device int*>(&x[i]);
  y[i] ^= (uint)as_int >> 31;
}

[[kernel]] void bytes(
    const device uchar* in [[buffer(0)]],
    device uchar* out [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  const device uchar4* in_uchar4 = (const device uchar4*)in;
  uchar4 p = in_uchar4[thread_position_in_threadgroup.x];
  out[thread_position_in_threadgroup.x] = (p.x + p.y + p.z + p.w) / 4;
}

[[kernel]] void lanes_as_others(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  device float4* y_float4 = (device float4*)y;
  const device float4* x_float4 = (const device float4*)x;
  int i = thread_position_in_threadgroup.x;
  float4 v = x_float4[i];
  (*(thread int*)((thread float*)&v + 1)) ^= 1;
  (*(device uint*)((device float*)&y_float4[i])) = (*(const device uint*)((const device float*)&x_float4[i] + 2)) + 1u;
  y_float4[i].y = v.y;
  y_float4[i].z = (*(thread short2*)((thread float*)&v + 3)).y;
  y_float4[i].w = v.w;
}
