#define SCALE 3
/* unicode: äöü 世界 🚀 */
#define GID (blockIdx.x * blockDim.x + threadIdx.x)
#define KERNEL(name, T, op)                                     \
  __global__ void name##_##T(T *out, const T *in, T by, int n) { \
    int i = GID;                                                 \
    if (i < n) out[i] = in[i] op by;                             \
  }
KERNEL(plus, float, +)
KERNEL(minus, int, -)

#define STR(x) #x
#define XSTR(x) STR(x)
__global__ void stringised(int *out, int n) {
  const char *name = XSTR(SCALE);
  int i = GID;
  if (i < n) out[i] = sizeof(XSTR(SCALE)) + i;
}

__global__ void conditional_expression(float *out, const float *in, int n) {
  int i = GID;
  if (i < n) out[i] = in[i]
#if SCALE > 2
      * SCALE
#else
      / 2
#endif
      + 1.0f;
}

__global__ void conditional_parameter(float *out,
#ifdef WITH_BIAS
                                      const float *bias,
#endif
                                      int n) {
  int i = GID;
  if (i < n) out[i] = i
#ifdef WITH_BIAS
    + bias[i]
#endif
    ;
}

#define FOR_EACH(i, n) for (int i = GID; i < (n); i += blockDim.x * gridDim.x)
__global__ void loop_macro(float *out, int n) { FOR_EACH(i, n) { out[i] = i * 2.0f; } }

#define MAX3(a, b, c) max(max((a), (b)), (c))
#define SWAP(T, a, b) do { T t_ = a; a = b; b = t_; } while (0)
__global__ void macros_with_statements(int *out, const int *in, int n) {
  int i = GID;
  if (i >= n) return;
  int a = in[i], b = 5;
  SWAP(int, a, b);
  out[i] = MAX3(a, b, a - b);
}

#define HD __host__ __device__ __forceinline__
#define GLOBAL __global__ void
HD float lerp(float a, float b, float t) { return a + t * (b - a); }
GLOBAL kernel_macro(float *out, const float *in, int n) { int i = GID; if (i < n) out[i] = lerp(in[i], 1.0f, 0.25f); }

#define VARIADIC(first, ...) first(__VA_ARGS__)
__device__ int add3(int a, int b, int c) { return a + b * 10 + c * 100; }
__global__ void variadic_macro(int *out, int n) { int i = GID; if (i < n) out[i] = VARIADIC(add3, i, 2, 3); }

#define X_LIST X(1) X(2) X(3)
__global__ void x_macros(int *out, int n) {
  int i = GID, s = 0;
#define X(v) s += v * i;
  X_LIST
#undef X
  if (i < n) out[i] = s;
}

__global__ void trailing(float *out, int n) { // a comment that goes on \
  this is still the comment
  int i = GID; /* } */ // "
  if (i < \
      n) out[i] = 1.0f; // }
}

__global__ void diagnostics_in_text(int *out, int n) {
  int i = GID;
  const char c = '"', d = '\'', e = '\\';
  if (i < n) out[i] = c + d + e; /* "unfinished */
}

__global__ void unicode(float *out, int n) { // größe 世界 🚀
  int i = GID; /* ÄÖÜ */ if (i < n) out[i] = 2.0f; /* ß */
}
#if 0
__global__ void dead(float *x) { this is not C }
#endif
#ifdef __CUDACC__
__global__ void guarded(int *out, int n) {
  int i = GID;
#if __CUDA_ARCH__ >= 700
  if (i < n) out[i] = 7;
#else
  if (i < n) out[i] = 6;
#endif
}
#endif
