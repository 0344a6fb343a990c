#include <metal_stdlib>
using namespace metal;

// support library: cu::inout_ptr, cu::inout

// The block reads what its threads wrote to global memory: the barrier orders that too.
[[kernel]] void two_steps(
    const device float* data_in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device uint* data_delta [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  cu::inout_ptr<float> data = cu::inout<float>(data_in, data_delta);
  int i = thread_position_in_threadgroup.x;
  data[i] = data.base[i] * 2.0f;
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  if (i + 1 < n) data[n + i] = data[i + 1].get();
}
