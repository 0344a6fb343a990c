#include <metal_stdlib>
using namespace metal;

// Threadgroup memory whose type and extent are computed: brackets inside of a type's template arguments.
#define LARGER(a, b) ((a) > (b) ? (a) : (b))

template <int N> struct Wide { using Type = float2; };

template <int W>
[[kernel]] void turn(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  const device float2* x_float2 = (const device float2*)x;
  device float2* y_float2 = (device float2*)y;
  threadgroup typename Wide<LARGER(2 * (W + 1), 1)>::Type rows[LARGER(W, 32)];
  rows[thread_position_in_threadgroup.x] = x_float2[thread_position_in_threadgroup.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y_float2[thread_position_in_threadgroup.x] = rows[31 - thread_position_in_threadgroup.x];
}
