#include <metal_stdlib>
using namespace metal;

[[kernel]] void mean(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  threadgroup struct {
      float sum;
      int count;
    } state;
  if (thread_position_in_threadgroup.x == 0) {
    state.sum = 0.0f;
    state.count = 0;
    for (int i = 0; i < n; ++i) {
      state.sum += x[i];
      state.count += 1;
    }
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[thread_position_in_threadgroup.x] = state.sum / state.count;
}
