#include <metal_stdlib>
using namespace metal;

// support library: cu::bit_value, cu::bit_value_of_record, cu::inout_ptr, cu::reinterpret, cu::atomic_cas, cu::atomic_add, cu::part, cu::atomic_or, cu::atomic_max, cu::inout, cu::ballot_sync, cu::activemask, cu::any_sync, cu::all_sync, cu::ffs, cu::syncthreads_count, cu::syncthreads_or, cu::syncthreads_and, cu::lane_xor, cu::shfl_sync, cu::atomic_sub, cu::atomic_min, cu::atomic_and, cu::atomic_xor, cu::atomic_inc, cu::atomic_dec, cu::atomic_exch

// Atomics, warps, odd block sizes.
struct Stats { int count; float sum; uint bits; };

template <>
struct cu::bit_value<Stats> : cu::bit_value_of_record<Stats> {};

inline float atomic_max_float(cu::inout_ptr<float> address, float value) {
  cu::inout_ptr<int> as_int = cu::reinterpret<int>(address);
  int old = (*as_int).get(), seen;
  while (value > as_type<float>(old)) {
    seen = old;
    if ((old = cu::atomic_cas(as_int, seen, as_type<int>(value))) == seen) break;
  }
  return as_type<float>(old);
}

inline int warp_scan(uint3 thread_position_in_threadgroup, int x) {
  const int lane = thread_position_in_threadgroup.x % 32;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) { int y = simd_shuffle_up(x, d); if (lane >= d) x += y; }
  return x;
}

[[kernel]] void atomic_fields(
    const device uchar* stats_in [[buffer(0)]],
    const device float* in [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device uchar* stats_delta [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<Stats> stats = cu::inout_ptr<uchar>(stats_in, stats_delta).as<Stats>();
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n) {
    cu::atomic_add(&cu::part((*stats), (*stats.base).count), 1);
    cu::atomic_add(&cu::part(stats[0], stats.base[0].sum), floor(in[i]));
    cu::atomic_or(&cu::part(stats[0], stats.base[0].bits), 1u << (i & 31));
  }
}

[[kernel]] void shared_atomics(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup float sum; threadgroup int hits[4]; threadgroup Stats s;
  int t = thread_position_in_threadgroup.x, i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (t == 0) { sum = 0; s.count = 0; }
  if (t < 4) hits[t] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < n) { cu::atomic_add(&sum, floor(in[i])); cu::atomic_add(hits + (t & 3), 1); cu::atomic_max(&s.count, t); }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < n) out[i] = sum + hits[t & 3] + s.count;
}

[[kernel]] void packed_cas(
    const device uint* packed_in [[buffer(0)]],
    const device int* in [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device uint* packed_delta [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<uint> packed = cu::inout<uint>(packed_in, packed_delta);
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  cu::inout_ptr<uint> word = packed + (i >> 1); uint shift = (i & 1) * 16, old = (*word).get(), seen;
  do {
    seen = old;
    uint half_ = (seen >> shift) & 0xffffu;
    uint next = (seen & ~(0xffffu << shift)) | (((half_ + (in[i] & 7)) & 0xffffu) << shift);
    old = cu::atomic_cas(word, seen, next);
  } while (old != seen);
}

[[kernel]] void float_max(
    const device float* out_in [[buffer(0)]],
    const device float* in [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device uint* out_delta [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<float> out = cu::inout<float>(out_in, out_delta);
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); if (i < n) atomic_max_float(out, in[i]);
}

[[kernel]] void divergent_shuffles(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x), lane = thread_position_in_threadgroup.x & 31;
  float v = i < n ? in[i] : 0.0f;
  if (lane < 16) v += simd_shuffle_xor(v, 3);
  else { float u = simd_shuffle_up(v, 1); v -= lane > 16 ? u : 0.0f; }
  if (i < n) out[i] = v;
}

[[kernel]] void odd_block(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup float part[2];
  int t = thread_position_in_threadgroup.x;
  float v = 0;
  for (int k = t; k < n; k += threads_per_threadgroup.x) v += floor(in[k]);
  uint mask = cu::ballot_sync(cu::activemask(), t < (int)threads_per_threadgroup.x);
  for (int d = 16; d; d >>= 1) { float u = simd_shuffle_down(v, d); if ((t & 31) + d < 32 && t + d < threads_per_threadgroup.x) v += u; }
  if ((t & 31) == 0) part[t >> 5] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (!t) out[threadgroup_position_in_grid.x] = part[0] + part[1];
}

[[kernel]] void scans(
    const device int* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); int s = warp_scan(thread_position_in_threadgroup, i < n ? in[i] : 0); if (i < n) out[i] = s;
}

[[kernel]] void votes(
    const device int* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device uint* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  int p = i < n && in[i] > 0;
  uint b = cu::ballot_sync(0xffffffffu, p);
  int any = cu::any_sync(-1, p), all = cu::all_sync(-1, p);
  uint below = popcount(int(b & ((1u << (thread_position_in_threadgroup.x & 31)) - 1)));
  if (i < n) out[i] = b ^ (any << 1) ^ all ^ (below << 8) ^ (cu::ffs(b) << 16);
}

[[kernel]] void returned_atomics(
    const device int* cursor_in [[buffer(0)]],
    const device int* in [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device uint* cursor_delta [[buffer(3)]],
    device int* slots [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<int> cursor = cu::inout<int>(cursor_in, cursor_delta);
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n && in[i] > 0) { int at = cu::atomic_add(cursor, 1); if (at < n) slots[at] = 1; }
}

[[kernel]] void block_or(
    const device int* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* out [[buffer(2)]],
    uint thread_index_in_threadgroup [[thread_index_in_threadgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup uint vote_scratch[32];
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  int c = cu::syncthreads_count(i < n && in[i] > 0, vote_scratch, thread_index_in_threadgroup, threads_per_threadgroup.x * threads_per_threadgroup.y * threads_per_threadgroup.z), o = cu::syncthreads_or(i < n && in[i] > 90, vote_scratch, thread_index_in_threadgroup, threads_per_threadgroup.x * threads_per_threadgroup.y * threads_per_threadgroup.z), a = cu::syncthreads_and(i < n, vote_scratch, thread_index_in_threadgroup, threads_per_threadgroup.x * threads_per_threadgroup.y * threads_per_threadgroup.z);
  if (i < n) out[i] = c + 1000 * !!o + 10000 * !!a;
}

[[kernel]] void all_dims(
    const constant int& n [[buffer(0)]],
    device int* out [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threadgroups_per_grid [[threadgroups_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int x = thread_position_in_threadgroup.x + threads_per_threadgroup.x * (thread_position_in_threadgroup.y + threads_per_threadgroup.y * thread_position_in_threadgroup.z);
  int b = threadgroup_position_in_grid.x + threadgroups_per_grid.x * (threadgroup_position_in_grid.y + threadgroups_per_grid.y * threadgroup_position_in_grid.z);
  int i = b * threads_per_threadgroup.x * threads_per_threadgroup.y * threads_per_threadgroup.z + x;
  uint3 t = thread_position_in_threadgroup; uint3 g = threadgroup_position_in_grid; const uint3 size = threads_per_threadgroup;
  if (i < n) out[i] = t.x + 100 * g.x + 10000 * size.y + threads_per_threadgroup.z;
}

[[kernel]] void wide_values(
    const device long* in [[buffer(0)]],
    const device float* pairs_in [[buffer(1)]],
    const constant uint& cu_size_of_pairs [[buffer(2)]],
    const constant int& n [[buffer(3)]],
    device long* out [[buffer(4)]],
    device float* pairs [[buffer(5)]],
    uint thread_index_in_simdgroup [[thread_index_in_simdgroup]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_grid [[threads_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  device float2* pairs_float2 = (device float2*)pairs;
  for (uint cu_i = thread_position_in_grid.x; cu_i < cu_size_of_pairs / 2; cu_i += threads_per_grid.x) pairs_float2[cu_i] = ((const device float2*)pairs_in)[cu_i];
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  long v = i < n ? in[i] : 0;
  v += cu::lane_xor(v, 1);
  float x = i < n ? pairs_float2[i].x : 0.0f;
  x = cu::shfl_sync(x, (thread_position_in_threadgroup.x + 5) & 31, 8, thread_index_in_simdgroup);
  if (i < n) { out[i] = v; 
    pairs_float2[i].y = x;
  }
}

[[kernel]] void atomics_of_all(
    const device int* i32_in [[buffer(0)]],
    const device uint* u32_in [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device uint* i32_delta [[buffer(3)]],
    device uint* u32_delta [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<int> i32 = cu::inout<int>(i32_in, i32_delta);
  cu::inout_ptr<uint> u32 = cu::inout<uint>(u32_in, u32_delta);
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  cu::atomic_sub(i32, 1); cu::atomic_min((i32 + 1), -i); cu::atomic_max(i32 + 2, i); cu::atomic_and((u32 + 0), ~(1u << (i & 31)));
  cu::atomic_xor((u32 + 1), 1u << (i & 31)); cu::atomic_inc((u32 + 2), 9u); cu::atomic_dec(u32 + 3, 5u); cu::atomic_exch((u32 + 4), 7u);
}
