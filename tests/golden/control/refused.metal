#include <metal_stdlib>
using namespace metal;

[[kernel]] void good(
    device int* y [[buffer(0)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  y[thread_position_in_threadgroup.x] = 1;
}
