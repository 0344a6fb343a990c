#include <metal_stdlib>
using namespace metal;

// support library: cu::inout_ref, cu::inout_ptr, cu::lane, cu::inout, cu::atomic_add

constant float weights[2][3] = {{1, 2, 3}, {4, 5, 6}};

constant int primes[] = {2, 3, 5, 7, 11};

constant char letters[] = "metal";

inline void bump(thread float &x, float by) { x += by; }

inline void bump(cu::inout_ref<float> x, float by) { x += by; }

inline void swap_them(thread float &a, thread float &b) { float t = a; a = b; b = t; }

inline float row_sum(const thread float (*rows)[4], int r) { float s = 0; for (int c = 0; c < 4; ++c) s += rows[r][c]; return s; }

inline float fixed(const thread float (&row)[4]) { return row[0] + row[3]; }

inline void fill(threadgroup float tile[8][9], int t, float v) { tile[t / 8][t % 8] = v; }

inline float column(threadgroup float (*tile)[9], int c) { float s = 0; for (int r = 0; r < 8; ++r) s += tile[r][c]; return s; }

inline threadgroup float* advance(threadgroup float *p, int k) { return p + k; }

inline device float* advance(device float *p, int k) { return p + k; }

inline int first_of(const device int *begin, const device int *end) { return end - begin > 0 ? *begin : -1; }

inline void fill_tile(threadgroup float tile[8][9], int t, float v) { tile[t / 8][t % 8] = v; }

inline void one(threadgroup float tile[], int t, float v) { tile[t] += v; }

inline void one(cu::inout_ptr<float> tile, int t, float v) { tile[t] += v; }

inline float two(const threadgroup float tile[8], int t) { return tile[t]; }

inline float two(const device float tile[8], int t) { return tile[t]; }

struct Body { packed_float3 pos; float mass; packed_float3 vel; };

inline void push(cu::inout_ref<packed_float3> a, const thread float3 &b) {
  cu::lane<float>(a, 0) += b.x;
}

[[kernel]] void constant_tables(
    const constant int& n [[buffer(0)]],
    device float* out [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  const int local[3] = {10, 20, 30};
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n) out[i] = weights[i & 1][i % 3] + primes[i % 5] + 1000.0f * local[i % 3] + letters[i % 5];
}

[[kernel]] void references(
    const device float* out_in [[buffer(0)]],
    const device float* in [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device uint* out_delta [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<float> out = cu::inout<float>(out_in, out_delta);
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  float a[2] = {in[i], 1.0f};
  thread float &first = a[0];
  bump(first, 2.0f);
  swap_them(a[0], a[1]);
  bump(out[i], first * 2.0f + a[1]);
}

[[kernel]] void pointers_to_arrays(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  float grid[2][4];
  for (int r = 0; r < 2; ++r) for (int c = 0; c < 4; ++c) grid[r][c] = in[i] + r * 4 + c;
  out[i] = row_sum(grid, i & 1) + fixed(grid[1]);
}

[[kernel]] void shared_in_helpers(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup float tile[8][9];
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  fill(tile, thread_position_in_threadgroup.x, i < n ? in[i] : 0.0f);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < n) out[i] = column(tile, thread_position_in_threadgroup.x % 8);
}

// dynamic_shared_bytes: the launch's dynamic shared memory
template <int dynamic_shared_bytes>
[[kernel]] void typed_pools(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup uint4 dynamic_shared[(dynamic_shared_bytes + 15) / 16];
  threadgroup float *values = ((threadgroup float*)dynamic_shared);
  threadgroup int *counts = (threadgroup int*)&values[threads_per_threadgroup.x];
  threadgroup uchar *flags = reinterpret_cast<threadgroup uchar*>(counts + threads_per_threadgroup.x);
  int t = thread_position_in_threadgroup.x, i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  values[t] = i < n ? in[i] : 0.0f; counts[t] = t * 2; flags[t] = t & 1;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  int o = threads_per_threadgroup.x - 1 - t;
  if (i < n) out[i] = values[o] + counts[o] + flags[o];
}

// dynamic_shared_bytes: the launch's dynamic shared memory
template <int dynamic_shared_bytes>
[[kernel]] void two_pools(
    const constant int& n [[buffer(0)]],
    device int* out [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup uint4 dynamic_shared[(dynamic_shared_bytes + 15) / 16];
  threadgroup char* raw = (threadgroup char*)dynamic_shared;
  threadgroup int *a = (threadgroup int*)raw, *b = a + threads_per_threadgroup.x;
  int t = thread_position_in_threadgroup.x, i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  a[t] = t; b[t] = 2 * t;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < n) out[i] = a[threads_per_threadgroup.x - 1 - t] + b[(t + 1) % threads_per_threadgroup.x];
}

[[kernel]] void several_declarators(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup float a[64]; threadgroup float b[64][2]; threadgroup float total;
  int t = thread_position_in_threadgroup.x, i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  a[t] = i < n ? in[i] : 0.0f; b[t][0] = a[t]; b[t][1] = -a[t];
  if (t == 0) total = 0.0f;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) for (int k = 0; k < 64; ++k) total += b[k][0] - b[k][1];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < n) out[i] = total + a[t];
}

[[kernel]] void volatiles(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup volatile float s[64];
  volatile int twice = 2;
  int t = thread_position_in_threadgroup.x, i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  s[t] = i < n ? in[i] : 0.0f;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < n) out[i] = s[63 - t] * twice;
}

[[kernel]] void restricts(
    const device float* in [[buffer(0)]],
    const device int* idx [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device float* out [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  const int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n) out[i] = in[idx[i] & 31] + (*(in + i)) + (*(&idx[i]));
}

[[kernel]] void walking(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int n_value = n;
  in += threadgroup_position_in_grid.x * threads_per_threadgroup.x; out += threadgroup_position_in_grid.x * threads_per_threadgroup.x; n_value -= threadgroup_position_in_grid.x * threads_per_threadgroup.x;
  int t = thread_position_in_threadgroup.x;
  if (t < n_value) *(out + t) = t[in];
}

[[kernel]] void views(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i * 4 + 3 >= n) return;
  float4 v = reinterpret_cast<const device float4*>(in)[i];
  thread float *p = ((thread float*)&v);
  p[2] += 1.0f;
  float2 w = *(thread float2*)&v;
  ((device float4*)out)[i] = float4(v.w, v.z, w.y, w.x);
}

[[kernel]] void choice(
    const device float* a_in [[buffer(0)]],
    const device float* b_in [[buffer(1)]],
    const device int* in [[buffer(2)]],
    const constant int& n [[buffer(3)]],
    device uint* a_delta [[buffer(4)]],
    device uint* b_delta [[buffer(5)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<float> a = cu::inout<float>(a_in, a_delta);
  cu::inout_ptr<float> b = cu::inout<float>(b_in, b_delta);
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  cu::inout_ptr<float> p = (in[i] & 1) ? a : b;
  p[i] = p.base[i] + 1.0f;
  cu::inout_ptr<float> q[2] = {a, b};
  q[i & 1][i] *= 2.0f;
}

[[kernel]] void writes_a_global(
    const constant int& n [[buffer(0)]],
    const device int* counter_in [[buffer(1)]],
    device int* out [[buffer(2)]],
    device uint* counter_delta [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<int> counter = cu::inout<int>(counter_in, counter_delta);
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); if (i < n) { cu::atomic_add(&counter[0], 1); out[i] = i; }
}

// cu_has_bias: whether bias is given
template <bool cu_has_bias>
[[kernel]] void null_pointers(
    const device float* bias [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  if (!cu_has_bias) bias = nullptr;
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  const device float *p = nullptr;
  if (bias != NULL) p = bias;
  if (i < n) out[i] = p ? p[i] : 0.0f;
}

[[kernel]] void returned_pointers(
    const device int* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  threadgroup float s[64];
  *advance(s, thread_position_in_threadgroup.x) = thread_position_in_threadgroup.x;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < n) *advance(out, i) = *advance(s, 63 - thread_position_in_threadgroup.x) + first_of(in + i, in + n);
}

[[kernel]] void arrays_as_parameters(
    const device float* out_in [[buffer(0)]],
    const device float* in [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device uint* out_delta [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<float> out = cu::inout<float>(out_in, out_delta);
  threadgroup float tile[8][9];
  threadgroup float flat[64];
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  fill_tile(tile, thread_position_in_threadgroup.x, i < n ? in[i] : 0.0f);
  one(flat, thread_position_in_threadgroup.x, 1.0f);
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  if (i < n) out[i] = tile[1][2] + two(flat, 3) + two(in, 2);
  one(out, 3, 2.0f);
}

[[kernel]] void soa(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  device packed_float3* out_packed_float3 = (device packed_float3*)out;
  const device packed_float3* in_packed_float3 = (const device packed_float3*)in;
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n) { const device packed_float3 &p = in_packed_float3[i]; out_packed_float3[i].x = p.y; out_packed_float3[i].y = p.z; out_packed_float3[i].z = p.x; }
}

[[kernel]] void soa_inout(
    const device float* out_in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device uint* out_delta [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<packed_float3> out = cu::inout_ptr<float>(out_in, out_delta).as<packed_float3>();
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n) { cu::inout_ref<packed_float3> p = out[i]; float3 q = p.get(); p = float3(q.y, q.z, q.x); }
}

[[kernel]] void bodies(
    const device uchar* b_in [[buffer(0)]],
    const constant uint& cu_size_of_b [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device uchar* b [[buffer(3)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_grid [[threads_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  device Body* b_typed = (device Body*)b;
  for (uint cu_i = thread_position_in_grid.x; cu_i < cu_size_of_b / sizeof(Body); cu_i += threads_per_grid.x) b_typed[cu_i] = ((const device Body*)b_in)[cu_i];
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); if (i < n) { b_typed[i].pos.x += b_typed[i].vel.x * b_typed[i].mass; float3 v = b_typed[i].vel; v.y *= 2.0f; b_typed[i].vel = v; b_typed[i].mass++; }
}

[[kernel]] void in_place4(
    const device float* p_in [[buffer(0)]],
    const constant uint& cu_size_of_p [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device float* p [[buffer(3)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_grid [[threads_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  device float4* p_float4 = (device float4*)p;
  for (uint cu_i = thread_position_in_grid.x; cu_i < cu_size_of_p / 4; cu_i += threads_per_grid.x) p_float4[cu_i] = ((const device float4*)p_in)[cu_i];
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); if (i < n) { p_float4[i].x += 1.0f; p_float4[i].w = p_float4[i].y; float4 t = p_float4[i]; t.z *= 2.0f; p_float4[i] = t; }
}

[[kernel]] void in_place3(
    const device float* p_in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device uint* p_delta [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<packed_float3> p = cu::inout_ptr<float>(p_in, p_delta).as<packed_float3>();
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); if (i < n) {
     cu::lane<float>(p[i], 0) += 1.0f;
     push(p[i], float3(1, 2, 3));
   }
}

[[kernel]] void lanes(
    const device float* out_in [[buffer(0)]],
    const device float* in [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device uint* out_delta [[buffer(3)]],
    device float* buf [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<float4> out = cu::inout_ptr<float>(out_in, out_delta).as<float4>();
  const device float4* in_float4 = (const device float4*)in;
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); if (i >= n) return;
  float4 v = in_float4[i]; thread float *p = ((thread float*)&v); const device float *q = ((const device float*)&in_float4[i] + 1); cu::inout_ptr<float> r = &(cu::lane<float>(out[i], 2));
  p[3] = 2.0f; *r = q[1] + v.w; 
  for (int k = 0; k < 4; ++k) p[k] *= 2.0f;
  cu::lane<float>(out[i], 0) = v.x; cu::lane<float>(out[i], 1) = v.y + v.z; (&cu::lane<float>(out[i], 0))[3] = 4.0f; buf[i] = (((thread float*)&v))[i & 3];
}

[[kernel]] void literals(
    const constant int& n [[buffer(0)]],
    device float* out [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  const constant char *s = "abc"; const char t[] = "xyz"; int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); if (i < n) out[i] = s[i % 3] + t[i % 3] + "pqr"[i % 3];
}

[[kernel]] void ranges(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); if (i >= n) return; float a[3] = {in[i], 2, 3}; for (thread float &v : a) v *= 2.0f; for (const thread auto &v : a) out[i] = v; for (thread auto &v : a) v += 1; out[i] = a[0] + a[1];
}
