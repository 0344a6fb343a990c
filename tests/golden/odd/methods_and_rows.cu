// Methods, lambdas, namespaces, buffers of rows: what the other files here leave out.
#include <cuda_fp16.h>
#define GID (blockIdx.x * blockDim.x + threadIdx.x)
#define CHECKED(i, n) do { if ((i) >= (n)) return; } while (0)

struct Ops {
  static __device__ int thread() { return threadIdx.x; }
  template <typename T> __device__ T scale(T x) const { return x * factor; }
  int factor = 2;
};

__global__ void static_and_template_methods(float *out, const float *in, int n) {
  int i = GID; CHECKED(i, n);
  Ops ops;
  out[i] = ops.scale(in[i]) + ops.template scale<float>(1.0f) + Ops::thread();
}

__global__ void lambda_over_shared(float *out, const float *in, int n) {
  __shared__ float s[64];
  int i = GID, t = threadIdx.x;
  auto put = [&](int k, float v) { s[k] = v; };
  auto get = [&s](int k) -> float { return s[k] * 2.0f; };
  put(t, i < n ? in[i] : 0.0f);
  __syncthreads();
  if (i < n) out[i] = get(63 - t);
}

__global__ void double_buffer(float *out, const float *in, int n) {
  __shared__ float a[64], b[64];
  int t = threadIdx.x, i = GID;
  float *from = a, *to = b;
  from[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < 64; d <<= 1) {
    to[t] = from[t] + (t >= d ? from[t - d] : 0.0f);
    __syncthreads();
    float *swap = from; from = to; to = swap;
  }
  if (i < n) out[i] = from[t];
}

__global__ void shared_in_a_block(int *out, const int *in, int n) {
  int i = GID, t = threadIdx.x;
  if (n > 0) {
    __shared__ int s[64];
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    if (i < n) out[i] = s[t ^ 1];
  }
}

union Word { unsigned u; float f; short s[2]; };
__global__ void unions_in_shared(int *out, const float *in, int n) {
  __shared__ Word w[64];
  int i = GID, t = threadIdx.x;
  w[t].f = i < n ? in[i] : 0.0f;
  __syncthreads();
  if (i < n) out[i] = w[63 - t].s[1];
}

__global__ void sizes(int *out, int n) {
  float local[7]; struct { char c; int i; } pair;
  int i = GID; CHECKED(i, n);
  out[i] = sizeof(local) / sizeof(local[0]) + sizeof pair + sizeof(float3) + sizeof(int *);
}

__global__ void structured(float *out, const float2 *in, int n) {
  int i = GID; CHECKED(i, n);
  struct Two { float a; int b; };
  Two two{in[i].x, 3};
  auto [a, b] = two;
  [[maybe_unused]] int unused = 0;
  static_assert(sizeof(Two) == 8, "eight");
  out[i] = a * b + in[i].y;
}

struct __align__(16) Aligned { float x, y, z; };
__global__ void aligned(Aligned *out, const Aligned *in, int n) {
  int i = GID; CHECKED(i, n);
  Aligned a = in[i];
  a.x += 1.0f;
  out[i] = a;
}

namespace a { namespace b { __device__ int f(int x) { return x + 1; } struct S { int v; __device__ int get() const { return v; } }; } __device__ int g(int x) { return b::f(x) * 2; } }
namespace ab = a::b;
__global__ void namespaces(int *out, const int *in, int n) {
  int i = GID; CHECKED(i, n);
  using a::g;
  a::b::S s{in[i]};
  ab::S t = {1};
  out[i] = g(s.get()) + a::b::f(2) + t.get() + ab::f(3);
}

__device__ void minmax(const int *x, int n, int *lo, int *hi) {
  *lo = *hi = x[0];
  for (int i = 1; i < n; ++i) { *lo = min(*lo, x[i]); *hi = max(*hi, x[i]); }
}
__global__ void out_parameters(int *out, const int *in, int n) {
  int i = GID; CHECKED(i, n);
  int lo, hi, w[3] = {in[i], in[(i + 1) % n], 7};
  minmax(w, 3, &lo, &hi);
  int both[2];
  minmax(in, n, both, both + 1);
  out[i] = hi - lo + both[1];
}

__constant__ struct { float scale; int shift; } config = {2.0f, 3};
__constant__ float kernel3[3][3] = {{0, 1, 0}, {1, 4, 1}, {0, 1, 0}};
__device__ float weight(const float k[3][3], int r, int c) { return k[r][c]; }
__global__ void constants_in_helpers(float *out, const float *in, int n) {
  int i = GID; CHECKED(i, n);
  out[i] = weight(kernel3, i % 3, 1) * in[i];
}

template <int N> struct Unroll { template <typename F> __device__ static void run(F f) { f(N - 1); Unroll<N - 1>::run(f); } };
template <> struct Unroll<0> { template <typename F> __device__ static void run(F) {} };
__global__ void unrolled(int *out, int n) {
  int i = GID, s = 0; CHECKED(i, n);
  Unroll<4>::run([&](int k) { s += k * i; });
  out[i] = s;
}

__global__ void int64_atomics(unsigned long long *sum, const int *in, int n) {
  int i = GID;
  if (i < n) atomicAdd(sum, (unsigned long long)(in[i] & 7));
}

__global__ void macro_in_body(float *out, const float *in, int n) {
#define AT(k) in[min((k), n - 1)]
  int i = GID; CHECKED(i, n);
  out[i] = AT(i) + AT(i + 1);
#undef AT
}

__global__ void continues(int *out, const int *in, int n) {
  int i = GID, s = 0; CHECKED(i, n);
#pragma unroll 4
  for (int k = 0; k < 8; ++k) {
    switch (k & 3) { case 0: continue; case 1: s += in[i] & 3; break; case 2: if (s > 4) goto_like: s -= 1; default: s += k; }
    if (k == 6) break;
  }
  out[i] = s;
}

__global__ void assigned_in_conditions(int *out, const int *in, int n) {
  int i = GID, v, w; CHECKED(i, n);
  if ((v = in[i]) > 0 && (w = v >> 1)) out[i] = w; else out[i] = 3;
  for (unsigned k = 3; k--;) out[i] += k;
  out[i] = -out[i], out[i] ^= 1;
  (void)w;
}

__global__ void two_dimensional(float (*out)[4], const float *in, int n) {
  int i = GID; CHECKED(i, n / 4);
  for (int c = 0; c < 4; ++c) out[i][c] = in[i * 4 + c];
}

__device__ __half2 twice(__half2 v) { return __hadd2(v, v); }
__global__ void half2_lanes(__half *out, const __half *in, int n) {
  int i = GID; CHECKED(i, n / 2);
  __half2 v = *(const __half2 *)&in[2 * i];
  v = twice(v);
  reinterpret_cast<__half2 *>(out)[i] = __halves2half2(__high2half(v), __low2half(v));
}
__device__ int clampi(int v, int lo = 0, int hi = 255) { return v < lo ? lo : v > hi ? hi : v; }
__global__ void pixels(uchar4 *out, const uchar4 *in, int n) {
  int i = GID; CHECKED(i, n);
  uchar4 p = in[i];
  p.x = clampi(p.x + 100); p.y = ~p.y; p.z = (p.z << 1) | (p.z >> 7); p.w = 255 - p.w;
  out[i] = p;
}
#define N 4
__global__ void own_rows(float x[][N], int n) {  // error: CU2103
  int i = threadIdx.x; if (i < n / N) for (int c = 0; c < N; ++c) x[i][c] *= 2.0f; }
__global__ void read_rows(float *out, const float m[N][N], int n) { int i = threadIdx.x; if (i < N) out[i] = m[i][i]; }
struct Words { float kernel; int device, thread; };
__global__ void members(float *out, Words *w, int n) { int i = threadIdx.x; if (i < n) { Words v{1.0f, 2, 3}; v.thread += w[i].device; v.kernel *= 2; out[i] = v.kernel + v.device + v.thread; } }
__global__ void by_value(float *out, Words w, int n) { int i = threadIdx.x; if (i < n) out[i] = w.kernel + w.device; }
