#include <metal_stdlib>
using namespace metal;

// dynamic_shared_bytes: the launch's dynamic shared memory
template <int BINS, int dynamic_shared_bytes>
[[kernel]] void histogram(
    const device uchar* in [[buffer(0)]],
    const device int* last_in [[buffer(1)]],
    const constant long& n [[buffer(2)]],
    device uint* bins [[buffer(3)]],
    device uint* last_delta [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  uint i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  threadgroup uint counts[dynamic_shared_bytes / 4];
  if (i < n) last_delta[0] = last_in[0] ^ int(in[i]);
}
