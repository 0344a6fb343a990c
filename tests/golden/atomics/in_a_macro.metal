#include <metal_stdlib>
using namespace metal;

// support library: cu::atomic_add

[[kernel]] void total(
    const device float* x [[buffer(0)]],
    device float* sum [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  cu::atomic_add((sum), (x[thread_position_in_threadgroup.x]));
}
