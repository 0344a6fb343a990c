#include <metal_stdlib>
using namespace metal;

// A brace too many, brackets and a brace missing: kernels that the parser loses are named all the same.
[[kernel]] void fill(
    device float* x [[buffer(0)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  x[thread_position_in_threadgroup.x] = 1.0f;
}
