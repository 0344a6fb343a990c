// Control flow as people write it at three in the morning.
#define GID (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void do_while(int *out, const int *in, int n) {
  int i = GID;
  if (i >= n) return;
  unsigned x = (unsigned)in[i] & 0xffffu; int steps = 0;
  do { x >>= 1; steps++; } while (x);
  out[i] = steps;
}

__global__ void fall_through(int *out, const int *in, int n) {
  int i = GID, r = 0;
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

__global__ void commas(int *out, const int *in, int n) {
  int i = GID, a, b;
  if (i >= n) return;
  for (a = 0, b = in[i] & 15; a < b; ++a, --b) ;
  out[i] = (a++, b += 2, a * b);
}

__global__ void ternary_lvalue(float *out, const float *in, int n) {
  int i = GID;
  if (i >= n) return;
  float a = in[i], b = 1.0f;
  (i & 1 ? a : b) += 5.0f;
  (i & 2 ? a : b) *= 2.0f;
  float *p = i & 4 ? &a : &b;
  *p -= 1.0f;
  out[i] = a - b;
}

__global__ void short_circuit(int *out, const int *in, int n) {
  int i = GID, c = 0;
  if (i < n && in[i] > 0 && ++c && (c += 2) > 2 || c++ == 0) c *= 10;
  if (i < n) out[i] = c;
}

__global__ void jumps(int *out, int n) {
  int i = GID, k = 0;
  if (i >= n) return;
again:
  k += i;
  if (k < 100 && k) goto again;  // error: CU3704
  out[i] = k;
}

__device__ int fibonacci(int n) {  // error: CU3709
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__global__ void recursive(int *out, int n) { int i = GID; if (i < n) out[i] = fibonacci(i % 8); }

__device__ __forceinline__ float early(float x) { if (x < 0.0f) return 0.0f; if (x > 1.0f) return 1.0f; return x; }
__global__ void early_returns(float *out, const float *in, int n) { int i = GID; if (i < n) out[i] = early(in[i]); }

__global__ void nested_loops(int *out, int n) {
  int i = GID;
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

__global__ void if_with_init(int *out, const int *in, int n) {
  int i = GID;
  if (i >= n) return;
  if (int v = in[i]; v > 0) out[i] = v; else out[i] = -v;
  while (int w = out[i] & 3) { out[i] -= w; }
}

__global__ void one_line(float*o,const float*x,int n){int i=GID;if(i<n)o[i]=x[i]>0?x[i]:x[i]*.01f;}

__global__
void
spread_out
(
    float
    *out
  , int
    n
)
{
    int i
        = GID
        ;
    if
      (i < n)
        out
          [i]
            = 1.0f
            ;
}

__global__ void many(float *a, float *b, const float *c, const float *d, int e, int f, float g, float h, unsigned k,
                     unsigned l, bool m, bool o, char p, short q, unsigned char r, unsigned short s, long long t,
                     unsigned long long u, size_t v, int8_t w, uint8_t x, int16_t y, uint32_t z, int n) {
  int i = GID;
  if (i < n) {
    a[i] = c[i] * e + f + g * h + k - l;
    b[i] = d[i] + m + o + p + q + r + s + t + u + v + w + x + y + z;
  }
}
