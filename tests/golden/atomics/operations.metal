#include <metal_stdlib>
using namespace metal;

// support library: cu::inout_ptr, cu::inout, cu::atomic_sub, cu::atomic_min, cu::atomic_max, cu::atomic_and, cu::atomic_or, cu::atomic_xor, cu::atomic_inc, cu::atomic_dec, cu::atomic_exch, cu::atomic_cas

// Every 32-bit operation.
[[kernel]] void all(
    const device int* a_in [[buffer(0)]],
    const device uint* u_in [[buffer(1)]],
    const device int* x [[buffer(2)]],
    device uint* a_delta [[buffer(3)]],
    device uint* u_delta [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  cu::inout_ptr<int> a = cu::inout<int>(a_in, a_delta);
  cu::inout_ptr<uint> u = cu::inout<uint>(u_in, u_delta);
  int i = thread_position_in_threadgroup.x;
  cu::atomic_sub((a + 0), x[i]);
  cu::atomic_min((a + 1), x[i]);
  cu::atomic_max((a + 2), x[i]);
  cu::atomic_and((u + 0), (uint)x[i]);
  cu::atomic_or((u + 1), 1u << i);
  cu::atomic_xor((u + 2), 1u << i);
  cu::atomic_inc((u + 3), 7u);
  cu::atomic_dec((u + 4), 7u);
  int old = cu::atomic_exch((a + 3), x[i]);
  if (old > 0) cu::atomic_cas((a + 4), old, x[i]);
}
