#include <metal_stdlib>
using namespace metal;

// support library: cu::inout_ptr, cu::inout, cu::atomic_add

[[kernel]] void count(
    const device int* x [[buffer(0)]],
    const device int* counter_in [[buffer(1)]],
    device uint* counter_delta [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  cu::inout_ptr<int> counter = cu::inout<int>(counter_in, counter_delta);
  if (x[thread_position_in_threadgroup.x] > 0) cu::atomic_add(&counter[0], 1);
}
