// Arithmetic and conversions.
#include <cstdint>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#define GID (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void unsigned_wraps(unsigned *out, const unsigned *in, int n) {
  unsigned i = GID;
  if (i >= n) return;
  unsigned a = in[i] - 5u, b = 0u - 1, c = a * 2654435761u;
  out[i] = (a < b) + (c >> 31) + (unsigned)-1 / 3 + (uint8_t)(in[i] - 1) + (i - n > 7);
}

__global__ void wide_indices(float *out, const float *in, int n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  const int64_t stride = (int64_t)gridDim.x * blockDim.x;
  for (int64_t k = i; k < n; k += stride) { long long back = n - 1 - k; out[k] = in[back] + (float)(k << 33 >> 33); }
}

__global__ void negative_strides(float *out, const float *in, int n) {
  const float *end = in + n;
  int i = GID;
  if (i < n) {
    const float *p = end - 1 - i;
    ptrdiff_t d = p - in;
    float s = 0;
    for (int k = 0; k < 3 && p - k >= in; ++k) s += p[-k];
    out[i] = s + (float)d + *(end - 1 - i);
  }
}

__global__ void integer_idioms(int *out, const int *in, int n) {
  int i = GID;
  if (i >= n) return;
  int x = in[i];
  int ceil = (x + 7) / 8, up = (x + 31) & ~31, sign = (x > 0) - (x < 0), parity = x & 1, low = x & -x;
  out[i] = ceil + up + sign + parity + low + x % 7 + (x >> 2) + -x / 3 + (x ^ (x >> 31)) + !x + !!x + ~x;
}

__global__ void casts(float *out, const float *in, int n) {
  int i = GID;
  if (i >= n) return;
  int a = (int)in[i], b = int(in[i] * 3.5f), c = static_cast<int>(in[i]);
  unsigned bits = *reinterpret_cast<const unsigned *>(&in[i]);
  const float *q = const_cast<float *>(in);
  unsigned char byte = (unsigned char)(a & 255);
  char s = static_cast<signed char>(b & 127);
  float back = reinterpret_cast<float &>(bits);
  short h = (short)c;
  bool flag = (bool)a;
  out[i] = a + b + c + (bits & 7) + q[i] + byte + s + back + h + flag + float(1 / 2) + (float)1 / 2;
}

__global__ void halves(__half *out, const __half *in, float *wide, int n) {
  int i = GID;
  if (i >= n) return;
  __half a = in[i], b = __float2half(1.5f);
  half c = a * b + __half(2);
  c += a; c = c - __half(0.5f); ++c;
  if (c > b) c = -c;
  out[i] = c / b;
  wide[i] = (float)a * 2 + __half2float(b) + float(c) + (a < b ? 1.0f : 0.0f) + (int)__half2int_rn(a);
}

__global__ void half_pairs(__half2 *out, const __half2 *in, int n) {
  int i = GID;
  if (i >= n) return;
  half2 v = in[i], w;
  w.x = v.y; w.y = __hadd(v.x, v.x);
  v.x = __float2half(2.0f);
  __half *p = reinterpret_cast<__half *>(&w);
  p[1] = p[0];
  out[i] = __hfma2(v, w, __floats2half2_rn(1.0f, 2.0f)) + v * w;
}

__global__ void brains(__nv_bfloat16 *out, const __nv_bfloat16 *in, int n) {
  int i = GID;
  if (i >= n) return;
  __nv_bfloat16 a = in[i], b = __float2bfloat16(0.5f);
  float f = __bfloat162float(a) * 2 + (float)b;
  __nv_bfloat162 p = __halves2bfloat162(a, b);
  p.x = p.y;
  out[i] = __hadd(a, __hmul(b, p.x)) + __nv_bfloat16(f);
}

__device__ float3 operator+(const float3 &a, const float3 &b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
__device__ float3 operator*(float s, float3 v) { return make_float3(s * v.x, s * v.y, s * v.z); }
inline __device__ void operator+=(float3 &a, const float3 b) { a.x += b.x; a.y += b.y; a.z += b.z; }
__device__ float3 operator-(float3 v) { return {-v.x, -v.y, -v.z}; }
__device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

__global__ void operators_on_float3(float3 *out, const float3 *in, int n) {
  int i = GID;
  if (i >= n) return;
  float3 v = in[i], w = 2.0f * v + make_float3(1, 2, 3);
  w += -v;
  out[i] = dot(v, w) * w;
}

__global__ void literals(float *out, const float *in, int n) {
  int i = GID;
  if (i < n) out[i] = in[i] * 1e-3 + 0x1p-2f + 'a' + 0b101 + 1'000 + 1.f + .5 + 017 + 1u + 2ll + true + INT_MIN / INT_MAX;
}

__global__ void doubles(double *x, int n) { int i = GID; if (i < n) x[i] = sqrt(x[i]); }  // error: CU3101

__global__ void byte_buffers(bool *flags, char *chars, uint8_t *bytes, signed char *sc, const int *in, int n) {
  int i = GID;
  if (i >= n) return;
  flags[i] = in[i] & 1;
  chars[i] = 'a' + i % 26; sc[i] = -(i & 63);
  bytes[i] = (uint8_t)(200 + i); bytes[i] += 100; bytes[i] >>= 1;
}

__global__ void long_longs(long long *out, const unsigned long long *in, int n) {
  int i = GID;
  if (i >= n) return;
  unsigned long long x = in[i] * 6364136223846793005ULL + 1442695040888963407ULL;
  out[i] = (long long)(x >> 33) - (1LL << 40) + __popcll(x) + __clzll(x | 1) + (int)(x & 0xff);
}

__global__ void mixed_sizes(short *out, const short *in, unsigned short *us, int n) {
  int i = GID;
  if (i >= n) return;
  short a = in[i]; a += 40000; us[i] = ~a; us[i] <<= 2;
  out[i] = a * a + (a >> 3);
}

__global__ void increments(int *out, const int *in, int n) {
  int i = GID;
  if (i >= n) return;
  const int *p = in + i; int a[4] = {0}, k = 0;
  a[k++] = *p; a[k++] = -*p; a[k] = a[k - 1]++ + ++a[0]; int *q = a; *q++ += 1; *++q -= 2; (*q)++;
  out[i] = a[0] * 3 + a[1] * 5 + a[2] * 7 + a[3] * 11 + k;
}
