#include <metal_stdlib>
using namespace metal;

// support library: cu::inout_ptr, cu::inout, cu::threadfence, cu::atomic_add

// The last block to finish adds up what all blocks wrote: fence, then an atomic ticket.
[[kernel]] void sum(
    const device float* x [[buffer(0)]],
    const device float* partial_in [[buffer(1)]],
    const device uint* ticket_in [[buffer(2)]],
    device uint* partial_delta [[buffer(3)]],
    device uint* ticket_delta [[buffer(4)]],
    device float* total [[buffer(5)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threadgroups_per_grid [[threadgroups_per_grid]]) {
  cu::inout_ptr<float> partial = cu::inout<float>(partial_in, partial_delta);
  cu::inout_ptr<uint> ticket = cu::inout<uint>(ticket_in, ticket_delta);
  threadgroup bool last;
  if (thread_position_in_threadgroup.x == 0) {
    partial[threadgroup_position_in_grid.x] = x[threadgroup_position_in_grid.x];
    cu::threadfence();
    last = cu::atomic_add(ticket, 1u) == threadgroups_per_grid.x - 1;
  }
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  if (last && thread_position_in_threadgroup.x == 0) {
    float s = 0.0f;
    for (uint b = 0; b < threadgroups_per_grid.x; ++b) s += partial[b].get();
    *total = s;
  }
}
