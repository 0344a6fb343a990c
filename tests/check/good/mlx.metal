//// generated kernel
template <typename T, int N>
[[kernel]] void custom_kernel_foo__float_32(
  const device float* a [[buffer(0)]],
  const constant int* a_shape [[buffer(1)]],
  const constant float* b [[buffer(2)]],
  device float* o [[buffer(3)]],
  uint3 thread_position_in_grid [[thread_position_in_grid]]) {
uint i = thread_position_in_grid.x; threadgroup float s[N]; s[i % N] = a[i]; o[i]=T(a[i]+b[0]+a_shape[0]+s[0]);
}

template [[host_name("custom_kernel_foo__float_32")]] [[kernel]] decltype(custom_kernel_foo__float_32<float, 32>) custom_kernel_foo__float_32<float, 32>;
//// what the preamble brings
[[kernel]] void k(
    const device bfloat16_t* a [[buffer(0)]], const constant int* shape [[buffer(1)]],
    const constant int64_t* strides [[buffer(2)]], const constant int& ndim [[buffer(3)]],
    device complex64_t* z [[buffer(4)]], device long* n [[buffer(5)]], uint3 t [[thread_position_in_grid]]) {
  auto at = elem_to_loc(t.x, shape, strides, ndim);
  bfloat16_t v = exp(a[at]) + max(a[0], a[1]) + simd_sum(a[2]) + Limits<bfloat16_t>::max;
  complex64_t w = complex64_t(1.0f, 2.0f) * z[0] + 3.0f;
  z[1] = w;
  z[2] = {w.real, float(v)};
  n[0] = ceildiv(int(n[1]), 4) + simd_shuffle_down(n[2], 1) + elem_to_loc_1(t.y, strides[0]);
  bool up = simd_shuffle(n[3] > 2, 3);
  n[4] = up ? 1 : 0;
  float16_t h = float16_t(log1p(1.0f)) + Limits<half>::finite_min;
  n[5] = long(h);
}
//// scalars arrive as references
[[kernel]] void k(
    const device float* x [[buffer(0)]], const constant float& scale [[buffer(1)]], const constant int& n [[buffer(2)]],
    const constant bool& flag [[buffer(3)]], device float* y [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]],
    uint thread_index_in_simdgroup [[thread_index_in_simdgroup]]) {
  int i = int(threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n && !flag) y[i] = x[i] * scale + thread_index_in_simdgroup;
}
//// atomic outputs
[[kernel]] void k(const device float* x [[buffer(0)]], device atomic<float>* y [[buffer(1)]], uint3 thread_position_in_grid [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(&y[thread_position_in_grid.x % 8], x[thread_position_in_grid.x], memory_order_relaxed);
}
