//// math
[[kernel]] void k(device float* x [[buffer(0)]]) {
  float c;
  int e;
  x[0] = precise::exp(x[0]) + fast::exp(x[1]) + exp(x[2]) + precise::sqrt(x[3]) + rsqrt(x[4]);
  x[1] = sincos(x[0], c) + c + modf(x[1], c) + frexp(x[2], e) + ldexp(x[3], e);
  x[2] = fma(x[0], x[1], x[2]) + pow(x[0], 2.0f) + precise::pow(x[0], x[1]) + fast::divide(x[0], x[1]);
  x[3] = clamp(x[0], 0.0f, 1.0f) + mix(x[0], x[1], 0.5f) + sign(x[2]) + saturate(x[3]) + step(x[0], x[1]);
  x[4] = max(x[0], 1.0f) + fmin(x[0], x[1]) + abs(x[2]) + fabs(x[3]) + copysign(x[0], x[1]) + max3(x[0], x[1], x[2]);
  x[5] = tanh(x[0]) + precise::tanh(x[1]) + floor(x[2]) + rint(x[3]) + round(x[4]) + trunc(x[5]) + fmod(x[0], x[1]);
  x[6] = isnan(x[0]) || isinf(x[1]) || signbit(x[2]) ? 0 : atan2(x[0], x[1]);
  x[7] = metal::precise::log(x[0]) + metal::fast::log2(x[1]) + log10(x[2]) + exp2(x[3]) + exp10(x[4]);
}
//// integers
[[kernel]] void k(device int* x [[buffer(0)]], device uint* y [[buffer(1)]]) {
  x[0] = min(x[0], 3) + max(x[1], x[2]) + clamp(x[3], 0, 7) + abs(x[4]) + mul24(x[0], x[1]) + mad24(x[0], x[1], x[2]);
  y[0] = min(y[0], 3u) + absdiff(x[0], x[1]) + addsat(y[0], y[1]) + hadd(y[0], y[1]) + select(y[0], y[1], x[0] > 1);
  y[1] = uint(min(x[0], int(y[0])));
}
//// simdgroups
[[kernel]] void k(device float* x [[buffer(0)]], device uint* y [[buffer(1)]], uint lane [[thread_index_in_simdgroup]]) {
  float v = x[lane];
  v += simd_shuffle_down(v, 16);
  v += simd_shuffle_xor(v, 1) + simd_shuffle_up(v, 1) + simd_shuffle(v, ushort(lane ^ 2)) + simd_broadcast(v, 0);
  v += simd_sum(v) + simd_max(v) + simd_min(v) + simd_product(v) + simd_prefix_inclusive_sum(v);
  v += simd_shuffle_and_fill_up(v, 0.0f, 1) + simd_broadcast_first(v);
  x[lane] = simd_any(v > 0) && simd_all(v < 9) ? v : 0;
  uint mask = uint(simd_vote::vote_t(simd_ballot(v > 1)));
  y[lane] = mask + simd_and(mask) + simd_or(mask) + simd_xor(mask) + (ulong)simd_active_threads_mask();
  int2 pair = simd_shuffle_xor(int2(1, 2), 1);
  y[0] = pair.x + simd_is_first() + quad_sum(y[1]) + quad_shuffle_xor(y[2], 1);
  simdgroup_barrier(mem_flags::mem_none);
}
//// matrices of a simdgroup
#include <metal_simdgroup_matrix>
[[kernel]] void k(const device half* a [[buffer(0)]], const device half* b [[buffer(1)]], device float* c [[buffer(2)]], const constant int& n [[buffer(3)]]) {
  threadgroup float tile[64];
  simdgroup_half8x8 x, y;
  simdgroup_matrix<float, 8, 8> acc = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  simdgroup_load(x, a, n);
  simdgroup_load(y, b, ulong(n), ulong2(0, 8), true);
  simdgroup_multiply_accumulate(acc, x, y, acc);
  simdgroup_multiply(acc, x, y);
  acc.thread_elements()[0] *= 2;
  simdgroup_store(acc, tile, 8);
  simdgroup_store(acc, c, n);
}
//// atomics
[[kernel]] void k(
    device atomic_int* a [[buffer(0)]], device atomic_uint* b [[buffer(1)]], device float* f [[buffer(2)]],
    device atomic<ulong>* w [[buffer(3)]], device uint* plain [[buffer(4)]]) {
  threadgroup atomic_uint local[16];
  int old = atomic_fetch_add_explicit(a, 1, memory_order_relaxed);
  old = atomic_load_explicit(&a[1], memory_order_relaxed) + atomic_exchange_explicit(&a[2], old, memory_order_relaxed);
  atomic_fetch_max_explicit(&b[old], 3u, memory_order_relaxed);
  atomic_fetch_or_explicit(&local[0], 1u, memory_order_relaxed);
  atomic_fetch_add_explicit((device atomic_float*)f, 1.0f, memory_order_relaxed);
  atomic_fetch_add_explicit(reinterpret_cast<device atomic_uint*>(plain) + 3, 1u, memory_order_relaxed);
  atomic_max_explicit(w, 5ul, memory_order_relaxed);
  uint expected = atomic_load_explicit(&b[0], memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&b[0], &expected, expected * 2, memory_order_relaxed, memory_order_relaxed)) {
  }
  atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);
  threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
}
//// vectors of functions
[[kernel]] void k(device float4* x [[buffer(0)]], device half2* h [[buffer(1)]]) {
  x[0] = exp(x[1]) + max(x[2], 0.0f) + clamp(x[3], 0.0f, 1.0f) + fma(x[0], x[1], x[2]) + precise::sin(x[0]);
  x[1] = length(x[0]) + distance(x[0], x[1]) + mix(x[0], x[1], 0.5f) + fast::normalize(x[2]);
  h[0] = min(h[1], h[2]) + fma(h[0], h[1], h[2]) + sqrt(h[3]);
}
//// names in full
[[kernel]] void k(device metal::float4* x [[buffer(0)]], device metal::bfloat* b [[buffer(1)]], metal::uint3 t [[thread_position_in_grid]]) {
  x[t.x] = metal::max(x[t.y], metal::vec<float, 4>(0)) + metal::simd_sum(x[t.x]);
  metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
  b[0] = metal::bfloat(metal::exp(x[0].x));
}
//// logging
#include <metal_logging>
constant metal::os_log logger("cu2mlx", "kernel");
[[kernel]] void k(device float* x [[buffer(0)]]) { logger.log_debug("x = %f", x[0]); }
