#include <metal_stdlib>
using namespace metal;

[[kernel]] void swap_parts(
    const device half* x [[buffer(0)]],
    device half* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  const device half2* x_half2 = (const device half2*)x;
  device half2* y_half2 = (device half2*)y;
  half2 v = x_half2[thread_position_in_threadgroup.x];
  half t = v.x;
  v.x = v.y;
  v.y = t;
  half2 both[2];
  both[0] = v;
  both[1].x = v.y;
  both[1].y = v.x;
  y_half2[2 * thread_position_in_threadgroup.x].x = both[0].x;
  y_half2[2 * thread_position_in_threadgroup.x].y = both[1].y;
  y_half2[2 * thread_position_in_threadgroup.x + 1] = both[1];
}
