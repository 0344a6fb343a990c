#include <metal_stdlib>
using namespace metal;

// support library: cu::syncthreads

[[kernel]] void places(
    const device int* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* y [[buffer(2)]],
    uint simdgroup_index_in_threadgroup [[simdgroup_index_in_threadgroup]],
    uint thread_index_in_simdgroup [[thread_index_in_simdgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  uint lane = thread_index_in_simdgroup, warp = simdgroup_index_in_threadgroup;
  int value = (*(x + thread_position_in_threadgroup.x));
  cu::syncthreads();
  y[thread_position_in_threadgroup.x] = value + int(lane + 100 * warp);
}
