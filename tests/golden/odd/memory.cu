// Pointers, arrays, shared and constant memory.
#define GID (blockIdx.x * blockDim.x + threadIdx.x)

__constant__ float weights[2][3] = {{1, 2, 3}, {4, 5, 6}};
__device__ const int primes[] = {2, 3, 5, 7, 11};
static const float halves[4] = {0.5f, 1.5f, 2.5f, 3.5f};
__device__ __constant__ char letters[] = "metal";

__global__ void constant_tables(float *out, int n) {
  static const int local[3] = {10, 20, 30};
  int i = GID;
  if (i < n) out[i] = weights[i & 1][i % 3] + primes[i % 5] + 1000.0f * local[i % 3] + letters[i % 5];
}

__device__ void bump(float &x, float by) { x += by; }
__device__ void swap_them(float &a, float &b) { float t = a; a = b; b = t; }

__global__ void references(float *out, const float *in, int n) {
  int i = GID;
  if (i >= n) return;
  float a[2] = {in[i], 1.0f};
  float &first = a[0];
  bump(first, 2.0f);
  swap_them(a[0], a[1]);
  bump(out[i], first * 2.0f + a[1]);
}

__device__ float row_sum(const float (*rows)[4], int r) { float s = 0; for (int c = 0; c < 4; ++c) s += rows[r][c]; return s; }
__device__ float fixed(const float (&row)[4]) { return row[0] + row[3]; }

__global__ void pointers_to_arrays(float *out, const float *in, int n) {
  int i = GID;
  if (i >= n) return;
  float grid[2][4];
  for (int r = 0; r < 2; ++r) for (int c = 0; c < 4; ++c) grid[r][c] = in[i] + r * 4 + c;
  out[i] = row_sum(grid, i & 1) + fixed(grid[1]);
}

__device__ void fill(float tile[8][9], int t, float v) { tile[t / 8][t % 8] = v; }
__device__ float column(float (*tile)[9], int c) { float s = 0; for (int r = 0; r < 8; ++r) s += tile[r][c]; return s; }

__global__ void shared_in_helpers(float *out, const float *in, int n) {
  __shared__ float tile[8][9];
  int i = GID;
  fill(tile, threadIdx.x, i < n ? in[i] : 0.0f);
  __syncthreads();
  if (i < n) out[i] = column(tile, threadIdx.x % 8);
}

extern __shared__ float pool[];

__global__ void typed_pools(float *out, const float *in, int n) {
  float *values = pool;
  int *counts = (int *)&values[blockDim.x];
  unsigned char *flags = reinterpret_cast<unsigned char *>(counts + blockDim.x);
  int t = threadIdx.x, i = GID;
  values[t] = i < n ? in[i] : 0.0f; counts[t] = t * 2; flags[t] = t & 1;
  __syncthreads();
  int o = blockDim.x - 1 - t;
  if (i < n) out[i] = values[o] + counts[o] + flags[o];
}

__global__ void two_pools(int *out, int n) {
  extern __shared__ char raw[];
  int *a = (int *)raw, *b = a + blockDim.x;
  int t = threadIdx.x, i = GID;
  a[t] = t; b[t] = 2 * t;
  __syncthreads();
  if (i < n) out[i] = a[blockDim.x - 1 - t] + b[(t + 1) % blockDim.x];
}

__global__ void several_declarators(float *out, const float *in, int n) {
  __shared__ float a[64], b[64][2], total;
  int t = threadIdx.x, i = GID;
  a[t] = i < n ? in[i] : 0.0f; b[t][0] = a[t]; b[t][1] = -a[t];
  if (t == 0) total = 0.0f;
  __syncthreads();
  if (t == 0) for (int k = 0; k < 64; ++k) total += b[k][0] - b[k][1];
  __syncthreads();
  if (i < n) out[i] = total + a[t];
}

__global__ void volatiles(float *out, const float *in, int n) {
  __shared__ volatile float s[64];
  volatile int twice = 2;
  int t = threadIdx.x, i = GID;
  s[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  if (i < n) out[i] = s[63 - t] * twice;
}

__global__ void restricts(float *__restrict__ out, const float *__restrict in, const int *const __restrict__ idx, const int n) {
  const int i = GID;
  if (i < n) out[i] = in[idx[i] & 31] + __ldg(in + i) + __ldg(&idx[i]);
}

__global__ void walking(float *out, const float *in, int n) {
  in += blockIdx.x * blockDim.x; out += blockIdx.x * blockDim.x; n -= blockIdx.x * blockDim.x;
  int t = threadIdx.x;
  if (t < n) *(out + t) = t[in];
}

__global__ void views(float *out, const float *in, int n) {
  int i = GID;
  if (i * 4 + 3 >= n) return;
  float4 v = reinterpret_cast<const float4 *>(in)[i];
  float *p = &v.x;
  p[2] += 1.0f;
  float2 w = *(float2 *)&v;
  ((float4 *)out)[i] = make_float4(v.w, v.z, w.y, w.x);
}

__global__ void choice(float *a, float *b, const int *in, int n) {
  int i = GID;
  if (i >= n) return;
  float *p = (in[i] & 1) ? a : b;
  p[i] += 1.0f;
  float *q[2] = {a, b};
  q[i & 1][i] *= 2.0f;
}

__device__ float global_sum;
__device__ int counter = 0;
__global__ void writes_a_global(int *out, int n) { int i = GID; if (i < n) { atomicAdd(&counter, 1); out[i] = i; } }

__global__ void null_pointers(float *out, const float *bias, int n) {
  int i = GID;
  const float *p = nullptr;
  if (bias != NULL) p = bias;
  if (i < n) out[i] = p ? p[i] : 0.0f;
}

__device__ float *advance(float *p, int k) { return p + k; }
__device__ int first_of(const int *begin, const int *end) { return end - begin > 0 ? *begin : -1; }
__global__ void returned_pointers(float *out, const int *in, int n) {
  int i = GID;
  __shared__ float s[64];
  *advance(s, threadIdx.x) = threadIdx.x;
  __syncthreads();
  if (i < n) *advance(out, i) = *advance(s, 63 - threadIdx.x) + first_of(in + i, in + n);
}

__device__ void fill_tile(float tile[8][9], int t, float v) { tile[t / 8][t % 8] = v; }
__device__ void one(float tile[], int t, float v) { tile[t] += v; }
__device__ float two(const float tile[8], int t) { return tile[t]; }
__global__ void arrays_as_parameters(float *out, const float *in, int n) {
  __shared__ float tile[8][9];
  __shared__ float flat[64];
  int i = GID;
  fill_tile(tile, threadIdx.x, i < n ? in[i] : 0.0f);
  one(flat, threadIdx.x, 1.0f);
  __syncthreads();
  if (i < n) out[i] = tile[1][2] + two(flat, 3) + two(in, 2);
  one(out, 3, 2.0f);
}
__global__ void soa(float3 *out, const float3 *in, int n) {
  int i = GID;
  if (i < n) { const float3 &p = in[i]; out[i].x = p.y; out[i].y = p.z; out[i].z = p.x; }
}
__global__ void soa_inout(float3 out[], int n) {
  int i = GID;
  if (i < n) { float3 &p = out[i]; float3 q = p; p = make_float3(q.y, q.z, q.x); }
}
__device__ void push(float3 &a, const float3 &b) {
  a.x += b.x;
}
struct Body { float3 pos; float mass; float3 vel; };
__global__ void bodies(Body *b, int n) { int i = GID; if (i < n) { b[i].pos.x += b[i].vel.x * b[i].mass; float3 v = b[i].vel; v.y *= 2.0f; b[i].vel = v; b[i].mass++; } }
__global__ void in_place4(float4 *p, int n) { int i = GID; if (i < n) { p[i].x += 1.0f; p[i].w = p[i].y; float4 t = p[i]; t.z *= 2.0f; p[i] = t; } }
__global__ void in_place3(float3 *p, int n) { int i = GID; if (i < n) {
    p[i].x += 1.0f;
    push(p[i], make_float3(1, 2, 3));
  }
}
__global__ void lanes(float4 *out, const float4 *in, float *buf, int n) {
  int i = GID; if (i >= n) return;
  float4 v = in[i]; float *p = &v.x; const float *q = &in[i].y; float *r = &(out[i].z);
  p[3] = 2.0f; *r = q[1] + v.w; 
  for (int k = 0; k < 4; ++k) p[k] *= 2.0f;
  out[i].x = v.x; out[i].y = v.y + v.z; (&out[i].x)[3] = 4.0f; buf[i] = (&v.x)[i & 3];
}
__global__ void literals(float *out, int n) { const char *s = "abc"; const char t[] = "xyz"; int i = GID; if (i < n) out[i] = s[i % 3] + t[i % 3] + "pqr"[i % 3]; }
__global__ void ranges(float *out, const float *in, int n) { int i = GID; if (i >= n) return; float a[3] = {in[i], 2, 3}; for (float &v : a) v *= 2.0f; for (const auto &v : a) out[i] = v; for (auto &&v : a) v += 1; out[i] = a[0] + a[1]; }
