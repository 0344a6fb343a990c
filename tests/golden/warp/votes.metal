#include <metal_stdlib>
using namespace metal;

// support library: cu::ballot_sync, cu::all_sync, cu::any_sync, cu::activemask, cu::match_any_sync, cu::match_all_sync, cu::reduce_add_sync, cu::ffs

// Votes, active lanes, matches and warp reductions.
[[kernel]] void votes(
    const device int* x [[buffer(0)]],
    device uint* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  int v = x[thread_position_in_threadgroup.x];
  const uint full = 0xffffffffu;
  uint ballot = cu::ballot_sync(full, v > 0);
  int everyone = cu::all_sync(full, v == v);
  int anyone = cu::any_sync(full, v < 0);
  uint active = cu::activemask();
  uint same = cu::match_any_sync(full, v);
  int agreed;
  uint all_same = cu::match_all_sync(full, v, &agreed);
  int sum = cu::reduce_add_sync(full, v);
  y[thread_position_in_threadgroup.x] = popcount(int(ballot)) + everyone + 2 * anyone + cu::ffs(active) + same + all_same + agreed + sum;
}
