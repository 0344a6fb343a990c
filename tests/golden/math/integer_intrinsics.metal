#include <metal_stdlib>
using namespace metal;

// support library: cu::ffs, cu::byte_perm, cu::funnelshift_l, cu::dp4a, cu::mul24

// Bit and integer intrinsics.
[[kernel]] void bits(
    const device uint* x [[buffer(0)]],
    device int* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  uint v = x[thread_position_in_threadgroup.x];
  y[thread_position_in_threadgroup.x] = popcount(int(v)) + clz(int(v)) + cu::ffs(v) + reverse_bits(uint(v)) + mulhi(uint(v), uint(v)) + cu::byte_perm(v, ~v, 0x3210 & 0x7777u) +
                   cu::funnelshift_l(v, v, 3) + cu::dp4a((int)v, 0x01010101, 0) + cu::mul24(v, 3) + (absdiff(int(1), int(2)) + 3u);
}
