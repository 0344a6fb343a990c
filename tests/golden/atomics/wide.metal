#include <metal_stdlib>
using namespace metal;

// support library: cu::inout_ptr, cu::inout, cu::atomic_add_wide, cu::atomic_or_wide, cu::atomic_max_wide, cu::atomic_add

[[kernel]] void sums(
    const device ulong* mask_in [[buffer(0)]],
    const device ulong* x [[buffer(1)]],
    device ulong* total [[buffer(2)]],
    device ulong* mask_delta [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  cu::inout_ptr<ulong> mask = cu::inout<ulong>(mask_in, mask_delta);
  threadgroup ulong part;
  if (thread_position_in_threadgroup.x == 0) part = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  cu::atomic_add_wide(&part, x[thread_position_in_threadgroup.x]);
  cu::atomic_or_wide(mask, x[thread_position_in_threadgroup.x]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (thread_position_in_threadgroup.x == 0) cu::atomic_add_wide(total, part);
}

// Nothing else is done to `best`, so it can start at zero.
[[kernel]] void top(
    const device ulong* x [[buffer(0)]],
    device ulong* best [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  cu::atomic_max_wide(&best[thread_position_in_threadgroup.x % 3], x[thread_position_in_threadgroup.x]);
}

[[kernel]] void flag(
    device int* ready [[buffer(0)]]) {
  cu::atomic_add(ready, 1);  // warning: CU4104
}
