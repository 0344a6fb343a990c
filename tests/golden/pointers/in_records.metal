#include <metal_stdlib>
using namespace metal;

// A record of pointers by value: its members are the operation's arguments.
struct Params {
  const device float* q;
  const device float* k;
  device float* out;
  int n;
  float scale;
};

[[kernel]] void attend(
    const device float* p_q [[buffer(0)]],
    const device float* p_k [[buffer(1)]],
    const constant int& p_n [[buffer(2)]],
    const constant float& p_scale [[buffer(3)]],
    device float* p_out [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  Params p;
  p.q = p_q;
  p.k = p_k;
  p.out = p_out;
  p.n = p_n;
  p.scale = p_scale;
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < p.n) p.out[i] = p.q[i] * p.k[i] * p.scale;
}
