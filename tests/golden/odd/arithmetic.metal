#include <metal_stdlib>
using namespace metal;

// support library: cu::float2int_rn, cu::keep, cu::popcll, cu::clzll

inline float dot_(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

[[kernel]] void unsigned_wraps(
    const device uint* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device uint* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  uint i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  uint a = in[i] - 5u, b = 0u - 1, c = a * 2654435761u;
  out[i] = (a < b) + (c >> 31) + (uint)-1 / 3 + (uchar)(in[i] - 1) + (i - n > 7);
}

[[kernel]] void wide_indices(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threadgroups_per_grid [[threadgroups_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  ulong i = (ulong)threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  const long stride = (long)threadgroups_per_grid.x * threads_per_threadgroup.x;
  for (long k = i; k < n; k += stride) { long back = n - 1 - k; out[k] = in[back] + (float)(k << 33 >> 33); }
}

[[kernel]] void negative_strides(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  const device float *end = in + n;
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n) {
    const device float *p = end - 1 - i;
    long d = p - in;
    float s = 0;
    for (int k = 0; k < 3 && p - k >= in; ++k) s += p[-k];
    out[i] = s + (float)d + *(end - 1 - i);
  }
}

[[kernel]] void integer_idioms(
    const device int* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  int x = in[i];
  int ceil = (x + 7) / 8, up = (x + 31) & ~31, sign = (x > 0) - (x < 0), parity = x & 1, low = x & -x;
  out[i] = ceil + up + sign + parity + low + x % 7 + (x >> 2) + -x / 3 + (x ^ (x >> 31)) + !x + !!x + ~x;
}

[[kernel]] void casts(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  int a = (int)in[i], b = int(in[i] * 3.5f), c = static_cast<int>(in[i]);
  uint bits = *reinterpret_cast<const device uint*>(&in[i]);
  const device float *q = const_cast<const device float*>(in);
  uchar byte = (uchar)(a & 255);
  char s = static_cast<char>(b & 127);
  float back = reinterpret_cast<thread float&>(bits);
  short h = (short)c;
  bool flag = (bool)a;
  out[i] = a + b + c + (bits & 7) + q[i] + byte + s + back + h + flag + float(1 / 2) + (float)1 / 2;
}

[[kernel]] void halves(
    const device half* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device half* out [[buffer(2)]],
    device float* wide [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  half a = in[i], b = half(1.5f);
  half c = a * b + half(2);
  c += a; c = c - half(0.5f); ++c;
  if (c > b) c = -c;
  out[i] = c / b;
  wide[i] = (float)a * 2 + float(b) + float(c) + (a < b ? 1.0f : 0.0f) + (int)cu::float2int_rn(float(a));
}

[[kernel]] void half_pairs(
    const device half* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device half* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  device half2* out_half2 = (device half2*)out;
  const device half2* in_half2 = (const device half2*)in;
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  half2 v = in_half2[i], w;
  w.x = v.y; w.y = (v.x + v.x);
  v.x = half(2.0f);
  thread half *p = reinterpret_cast<thread half*>(&w);
  p[1] = p[0];
  out_half2[i] = fma(v, w, half2(half(1.0f), half(2.0f))) + v * w;
}

[[kernel]] void brains(
    const device bfloat* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device bfloat* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  bfloat a = in[i], b = bfloat(0.5f);
  float f = float(a) * 2 + (float)b;
  bfloat2 p = bfloat2(a, b);
  p.x = p.y;
  out[i] = (a + (b * p.x)) + bfloat(f);
}

[[kernel]] void operators_on_float3(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  device packed_float3* out_packed_float3 = (device packed_float3*)out;
  const device packed_float3* in_packed_float3 = (const device packed_float3*)in;
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  float3 v = in_packed_float3[i], w = 2.0f * v + float3(1, 2, 3);
  w += -v;
  out_packed_float3[i] = dot_(v, w) * w;
}

[[kernel]] void literals(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n) out[i] = in[i] * 1e-3 + 0x1p-2f + 'a' + 0b101 + 1'000 + 1.f + .5 + 017 + 1u + 2L + true + numeric_limits<int>::min() / numeric_limits<int>::max();
}

[[kernel]] void byte_buffers(
    const device uchar* bytes_in [[buffer(0)]],
    const constant uint& cu_size_of_bytes [[buffer(1)]],
    const device int* in [[buffer(2)]],
    const constant int& n [[buffer(3)]],
    device bool* flags [[buffer(4)]],
    device char* chars [[buffer(5)]],
    device uchar* bytes [[buffer(6)]],
    device char* sc [[buffer(7)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_grid [[threads_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  device char* chars_char = (device char*)chars;
  for (uint cu_i = thread_position_in_grid.x + threads_per_grid.x; cu_i < cu_size_of_bytes; cu_i += threads_per_grid.x) bytes[cu_i] = bytes_in[cu_i];
  device char* sc_char = (device char*)sc;
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) { cu::keep(bytes, bytes_in, thread_position_in_grid.x, cu_size_of_bytes); return; }
  flags[i] = in[i] & 1;
  chars_char[i] = 'a' + i % 26; sc_char[i] = -(i & 63);
  bytes[i] = (uchar)(200 + i); bytes[i] += 100; bytes[i] >>= 1;
}

[[kernel]] void long_longs(
    const device ulong* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device long* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  ulong x = in[i] * 6364136223846793005UL + 1442695040888963407UL;
  out[i] = (long)(x >> 33) - (1L << 40) + cu::popcll(x) + cu::clzll(x | 1) + (int)(x & 0xff);
}

[[kernel]] void mixed_sizes(
    const device short* in [[buffer(0)]],
    const device ushort* us_in [[buffer(1)]],
    const constant uint& cu_size_of_us [[buffer(2)]],
    const constant int& n [[buffer(3)]],
    device short* out [[buffer(4)]],
    device ushort* us [[buffer(5)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_grid [[threads_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  for (uint cu_i = thread_position_in_grid.x + threads_per_grid.x; cu_i < cu_size_of_us; cu_i += threads_per_grid.x) us[cu_i] = us_in[cu_i];
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) { cu::keep(us, us_in, thread_position_in_grid.x, cu_size_of_us); return; }
  short a = in[i]; a += 40000; us[i] = ~a; us[i] <<= 2;
  out[i] = a * a + (a >> 3);
}

[[kernel]] void increments(
    const device int* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  const device int *p = in + i; int a[4] = {0}, k = 0;
  a[k++] = *p; a[k++] = -*p; a[k] = a[k - 1]++ + ++a[0]; thread int *q = a; *q++ += 1; *++q -= 2; (*q)++;
  out[i] = a[0] * 3 + a[1] * 5 + a[2] * 7 + a[3] * 11 + k;
}
