#include <metal_stdlib>
using namespace metal;

// support library: cu::lop3, cu::byte_perm

// Inline PTX on registers: one instruction becomes one expression.
inline int lop3(int a, int b, int c) {
    int res;
    res = cu::lop3(uint(a), uint(b), uint(c), uint(0xca));
    return res;
}

inline uint lane_id(uint thread_index_in_simdgroup) {
    uint lane;
    lane = thread_index_in_simdgroup;
    return lane;
}

[[kernel]] void mix(
    const device int* in [[buffer(0)]],
    const device float* f_in [[buffer(1)]],
    const constant uint& cu_size_of_f [[buffer(2)]],
    device uint* out [[buffer(3)]],
    device float* f [[buffer(4)]],
    uint thread_index_in_simdgroup [[thread_index_in_simdgroup]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_grid [[threads_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  for (uint cu_i = thread_position_in_grid.x; cu_i < cu_size_of_f; cu_i += threads_per_grid.x) f[cu_i] = f_in[cu_i];
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  uint picked, wide_low;
  picked = cu::byte_perm(uint(in[i]), uint(in[i + 1]), 0x5410u);
  do {
      ulong t = ulong(picked) * ulong(3u);
      bool p = in[i] > 0;
      wide_low = uint(t);
      if (!p) {
          wide_low = 7u;
      }
  } while (false);
  float e;
  e = precise::exp2(f[i]);
  if (in[i] > 2)
      e = e + 1.0f;
  else
      e = 0.0f;
  out[i] = lop3(picked, wide_low, lane_id(thread_index_in_simdgroup));
  f[i] = e;
}
