#include <metal_stdlib>
using namespace metal;

inline float early(float x) { if (x < 0.0f) return 0.0f; if (x > 1.0f) return 1.0f; return x; }

[[kernel]] void do_while(
    const device int* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  uint x = (uint)in[i] & 0xffffu; int steps = 0;
  do { x >>= 1; steps++; } while (x);
  out[i] = steps;
}

[[kernel]] void fall_through(
    const device int* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x), r = 0;
  if (i >= n) return;
  switch (i & 7) {
    case 0: r += 1;
    case 1: { r += 2; break; }
    case 2: case 3: r += 4; // fall through
    default: r += 8;
    case 6: r += 16; break;
    case 7: for (int k = 0; k < 3; ++k) { if (k == 1) continue; r += k; } return;
  }
  out[i] = r + in[i];
}

[[kernel]] void commas(
    const device int* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x), a, b;
  if (i >= n) return;
  for (a = 0, b = in[i] & 15; a < b; ++a, --b) ;
  out[i] = (a++, b += 2, a * b);
}

[[kernel]] void ternary_lvalue(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  float a = in[i], b = 1.0f;
  (i & 1 ? a : b) += 5.0f;
  (i & 2 ? a : b) *= 2.0f;
  thread float *p = i & 4 ? &a : &b;
  *p -= 1.0f;
  out[i] = a - b;
}

[[kernel]] void short_circuit(
    const device int* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x), c = 0;
  if (i < n && in[i] > 0 && ++c && (c += 2) > 2 || c++ == 0) c *= 10;
  if (i < n) out[i] = c;
}

[[kernel]] void early_returns(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); if (i < n) out[i] = early(in[i]);
}

[[kernel]] void nested_loops(
    const constant int& n [[buffer(0)]],
    device int* out [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  int s = 0;
  for (int a = 0; a < 5; ++a)
    for (int b = a; ; b++) {
      if (b > 6) break;
      while (1) { if (s % 3 == 0) { s++; continue; } break; }
      s += a * b;
    }
  out[i] = s + i;
}

[[kernel]] void if_with_init(
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
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  if (int v = in[i]; v > 0) out[i] = v; else out[i] = -v;
  while (int w = out[i] & 3) { out[i] -= w; }
}

[[kernel]] void one_line(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* o [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i=(threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);if(i<n)o[i]=x[i]>0?x[i]:x[i]*.01f;
}

[[kernel]] void spread_out(
    const constant int& n [[buffer(0)]],
    device float* out [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i
      = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x)
      ;
  if
    (i < n)
      out
        [i]
          = 1.0f
          ;
}

[[kernel]] void many(
    const device float* c [[buffer(0)]],
    const device float* d [[buffer(1)]],
    const constant int& e [[buffer(2)]],
    const constant int& f [[buffer(3)]],
    const constant float& g [[buffer(4)]],
    const constant float& h [[buffer(5)]],
    const constant uint& k [[buffer(6)]],
    const constant uint& l [[buffer(7)]],
    const constant bool& m [[buffer(8)]],
    const constant bool& o [[buffer(9)]],
    const constant char& p [[buffer(10)]],
    const constant short& q [[buffer(11)]],
    const constant uchar& r [[buffer(12)]],
    const constant ushort& s [[buffer(13)]],
    const constant long& t [[buffer(14)]],
    const constant ulong& u [[buffer(15)]],
    const constant ulong& v [[buffer(16)]],
    const constant char& w [[buffer(17)]],
    const constant uchar& x [[buffer(18)]],
    const constant short& y [[buffer(19)]],
    const constant uint& z [[buffer(20)]],
    const constant int& n [[buffer(21)]],
    device float* a [[buffer(22)]],
    device float* b [[buffer(23)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n) {
    a[i] = c[i] * e + f + g * h + k - l;
    b[i] = d[i] + m + o + p + q + r + s + t + u + v + w + x + y + z;
  }
}
