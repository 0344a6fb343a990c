#include <metal_stdlib>
using namespace metal;

// support library: cu::atomic_add_wide

struct Ops {
  static int thread_(uint3 thread_position_in_threadgroup) { return thread_position_in_threadgroup.x; }
  template <typename T>
T scale(T x) const { return x * factor; }
  int factor = 2;
};

union Word { uint u; float f; short s[2]; };

struct alignas(16) Aligned { float x, y, z; };

inline int f(int x) { return x + 1; }

struct S { int v; int get() const { return v; } };

inline int g(int x) { return f(x) * 2; }

inline void minmax(const thread int *x, int n, thread int *lo, thread int *hi) {
  *lo = *hi = x[0];
  for (int i = 1; i < n; ++i) { *lo = min(*lo, x[i]); *hi = max(*hi, x[i]); }
}

inline void minmax(const device int *x, int n, thread int *lo, thread int *hi) {
  *lo = *hi = x[0];
  for (int i = 1; i < n; ++i) { *lo = min(*lo, x[i]); *hi = max(*hi, x[i]); }
}

constant float kernel3[3][3] = {{0, 1, 0}, {1, 4, 1}, {0, 1, 0}};

inline float weight(const constant float k[3][3], int r, int c) { return k[r][c]; }

template <int N> struct Unroll { template <typename F>
static void run(F f) { f(N - 1); Unroll<N - 1>::run(f); } };

template <> struct Unroll<0> { template <typename F>
static void run(F) {} };

inline half2 twice(half2 v) { return (v + v); }

inline int clampi(int v, int lo = 0, int hi = 255) { return v < lo ? lo : v > hi ? hi : v; }

struct Words { float kernel_; int device_, thread_; };

[[kernel]] void static_and_template_methods(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); do { if ((i) >= (n)) return; } while (0);
  Ops ops;
  out[i] = ops.scale(in[i]) + ops.template scale<float>(1.0f) + Ops::thread_(thread_position_in_threadgroup);
}

[[kernel]] void lambda_over_shared(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup float s[64];
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x), t = thread_position_in_threadgroup.x;
  auto put = [&](int k, float v) { s[k] = v; };
  auto get = [&s](int k) -> float { return s[k] * 2.0f; };
  put(t, i < n ? in[i] : 0.0f);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < n) out[i] = get(63 - t);
}

[[kernel]] void double_buffer(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup float a[64]; threadgroup float b[64];
  int t = thread_position_in_threadgroup.x, i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  threadgroup float *from = a, *to = b;
  from[t] = i < n ? in[i] : 0.0f;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (int d = 1; d < 64; d <<= 1) {
    to[t] = from[t] + (t >= d ? from[t - d] : 0.0f);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    threadgroup float *swap = from; from = to; to = swap;
  }
  if (i < n) out[i] = from[t];
}

[[kernel]] void shared_in_a_block(
    const device int* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup int s[64];
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x), t = thread_position_in_threadgroup.x;
  if (n > 0) {
    s[t] = i < n ? in[i] : 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (i < n) out[i] = s[t ^ 1];
  }
}

[[kernel]] void unions_in_shared(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup Word w[64];
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x), t = thread_position_in_threadgroup.x;
  w[t].f = i < n ? in[i] : 0.0f;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < n) out[i] = w[63 - t].s[1];
}

[[kernel]] void sizes(
    const constant int& n [[buffer(0)]],
    device int* out [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  float local[7]; struct { char c; int i; } pair;
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); do { if ((i) >= (n)) return; } while (0);
  out[i] = sizeof(local) / sizeof(local[0]) + sizeof pair + sizeof(packed_float3) + sizeof(device int*);
}

[[kernel]] void structured(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  const device float2* in_float2 = (const device float2*)in;
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); do { if ((i) >= (n)) return; } while (0);
  struct Two { float a; int b; };
  Two two{in_float2[i].x, 3};
  auto [a, b] = two;
  int unused = 0;
  static_assert(sizeof(Two) == 8, "eight");
  out[i] = a * b + in_float2[i].y;
}

[[kernel]] void aligned(
    const device uchar* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device uchar* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  device Aligned* out_typed = (device Aligned*)out;
  const device Aligned* in_typed = (const device Aligned*)in;
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); do { if ((i) >= (n)) return; } while (0);
  Aligned a = in_typed[i];
  a.x += 1.0f;
  out_typed[i] = a;
}

[[kernel]] void namespaces(
    const device int* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); do { if ((i) >= (n)) return; } while (0);
  S s{in[i]};
  S t = {1};
  out[i] = g(s.get()) + f(2) + t.get() + f(3);
}

[[kernel]] void out_parameters(
    const device int* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); do { if ((i) >= (n)) return; } while (0);
  int lo, hi, w[3] = {in[i], in[(i + 1) % n], 7};
  minmax(w, 3, &lo, &hi);
  int both[2];
  minmax(in, n, both, both + 1);
  out[i] = hi - lo + both[1];
}

[[kernel]] void constants_in_helpers(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); do { if ((i) >= (n)) return; } while (0);
  out[i] = weight(kernel3, i % 3, 1) * in[i];
}

[[kernel]] void unrolled(
    const constant int& n [[buffer(0)]],
    device int* out [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x), s = 0; do { if ((i) >= (n)) return; } while (0);
  Unroll<4>::run([&](int k) { s += k * i; });
  out[i] = s;
}

[[kernel]] void int64_atomics(
    const device int* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device ulong* sum [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n) cu::atomic_add_wide(sum, (ulong)(in[i] & 7));
}

[[kernel]] void macro_in_body(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); do { if ((i) >= (n)) return; } while (0);
  out[i] = in[min((i), n - 1)] + in[min((i + 1), n - 1)];
}

[[kernel]] void continues(
    const device int* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x), s = 0; do { if ((i) >= (n)) return; } while (0);
#pragma unroll 4
  for (int k = 0; k < 8; ++k) {
    switch (k & 3) { case 0: continue; case 1: s += in[i] & 3; break; case 2: if (s > 4) goto_like: s -= 1; default: s += k; }
    if (k == 6) break;
  }
  out[i] = s;
}

[[kernel]] void assigned_in_conditions(
    const device int* out_in [[buffer(0)]],
    const constant uint& cu_size_of_out [[buffer(1)]],
    const device int* in [[buffer(2)]],
    const constant int& n [[buffer(3)]],
    device int* out [[buffer(4)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_grid [[threads_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  for (uint cu_i = thread_position_in_grid.x; cu_i < cu_size_of_out; cu_i += threads_per_grid.x) out[cu_i] = out_in[cu_i];
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x), v, w; do { if ((i) >= (n)) return; } while (0);
  if ((v = in[i]) > 0 && (w = v >> 1)) out[i] = w; else out[i] = 3;
  for (uint k = 3; k--;) out[i] += k;
  out[i] = -out[i], out[i] ^= 1;
  (void)w;
}

[[kernel]] void two_dimensional(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  device float (*out_rows)[4] = (device float (*)[4])out;
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); do { if ((i) >= (n / 4)) return; } while (0);
  for (int c = 0; c < 4; ++c) out_rows[i][c] = in[i * 4 + c];
}

[[kernel]] void half2_lanes(
    const device half* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device half* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); do { if ((i) >= (n / 2)) return; } while (0);
  half2 v = *(const device half2*)&in[2 * i];
  v = twice(v);
  reinterpret_cast<device half2*>(out)[i] = half2(v.y, v.x);
}

[[kernel]] void pixels(
    const device uchar* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device uchar* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  device uchar4* out_uchar4 = (device uchar4*)out;
  const device uchar4* in_uchar4 = (const device uchar4*)in;
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); do { if ((i) >= (n)) return; } while (0);
  uchar4 p = in_uchar4[i];
  p.x = clampi(p.x + 100); p.y = ~p.y; p.z = (p.z << 1) | (p.z >> 7); p.w = 255 - p.w;
  out_uchar4[i] = p;
}

[[kernel]] void read_rows(
    const device float* m [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  const device float (*m_rows)[4] = (const device float (*)[4])m;
  int i = thread_position_in_threadgroup.x; if (i < 4) out[i] = m_rows[i][i];
}

[[kernel]] void members(
    const device uchar* w [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  const device Words* w_typed = (const device Words*)w;
  int i = thread_position_in_threadgroup.x; if (i < n) { Words v{1.0f, 2, 3}; v.thread_ += w_typed[i].device_; v.kernel_ *= 2; out[i] = v.kernel_ + v.device_ + v.thread_; }
}

[[kernel]] void by_value(
    const device uchar* w [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  Words w_value = *(const device Words*)w;
  int i = thread_position_in_threadgroup.x; if (i < n) out[i] = w_value.kernel_ + w_value.device_;
}
