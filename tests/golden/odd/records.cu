// Records in every odd place.
#define GID (blockIdx.x * blockDim.x + threadIdx.x)

struct View {
  const float *data;
  int stride;
  __device__ float at(int i) const { return data[i * stride]; }
  __device__ float operator()(int i) const { return at(i) * 2.0f; }
};

__global__ void pointer_member(float *out, const float *in, int n) {
  int i = GID;
  View view{in, 1};
  if (i < n) out[i] = view.at(i) + view(n - 1 - i);
}

struct Cell { float value; int count; };

__global__ void shared_records(float *out, const float *in, int n) {
  __shared__ Cell cells[64];
  int t = threadIdx.x, i = GID;
  cells[t].value = i < n ? in[i] : 0.0f;
  cells[t].count = t;
  __syncthreads();
  Cell &other = cells[63 - t];
  const Cell *p = &cells[t];
  if (i < n) out[i] = other.value + p->value + other.count;
}

union Bits { float f; unsigned u; unsigned char b[4]; };

__global__ void unions(unsigned *out, const float *in, int n) {
  int i = GID;
  if (i >= n) return;
  Bits bits;
  bits.f = in[i];
  out[i] = (bits.u >> 3) + bits.b[0];
}

struct Packed { unsigned low : 4, middle : 12; unsigned high : 16; };
__global__ void bit_fields(unsigned *out, const unsigned *in, int n) {
  int i = GID;
  if (i >= n) return;
  Packed p;
  p.low = in[i] & 15u; p.middle = (in[i] >> 4) & 0xfffu; p.high = in[i] >> 16;
  p.low += 13; p.high -= 3;
  out[i] = (p.low | (p.middle << 4) | (p.high << 16)) + sizeof(Packed);
}

enum class Mode : int { add = 1, multiply = 2, last };
enum Plain { FIRST, SECOND = 5, THIRD };

__device__ float apply(Mode mode, float a, float b) {
  switch (mode) {
    case Mode::add: return a + b;
    case Mode::multiply: return a * b;
    default: return 0.0f;
  }
}

__global__ void enum_classes(float *out, const float *in, int n) {
  int i = GID;
  if (i < n) out[i] = apply(static_cast<Mode>(i % 4), in[i], 3.0f) + THIRD + (int)Mode::last;
}

struct Base { float scale; __device__ Base(float s) : scale(s) {} __device__ float times(float x) const { return scale * x; } };
struct Derived : Base {
  float offset;
  __device__ Derived(float s, float o) : Base(s), offset(o) {}
  __device__ float apply(float x) const { return times(x) + offset; }
};

__global__ void derived(float *out, const float *in, int n) {
  int i = GID;
  Derived d(2.0f, 1.0f);
  if (i < n) out[i] = d.apply(in[i]);
}

struct Counter {
  int value = 3;
  static __device__ int step() { return 2; }
  __device__ Counter &operator+=(int k) { value += k * step(); return *this; }
  __device__ int operator[](int k) const { return value + k; }
  __device__ explicit operator bool() const { return value & 1; }
};

__global__ void operators_of_records(int *out, const int *in, int n) {
  int i = GID;
  if (i >= n) return;
  Counter c;
  (c += in[i]) += 1;
  out[i] = c ? c[1] : -c[2];
}

struct Params { float4 color; float3 axis; int sizes[3]; bool on; };

__global__ void struct_argument(float *out, Params p, int n) {
  int i = GID;
  if (i < n) out[i] = p.color.x + p.axis.z + p.sizes[i % 3] + (p.on ? 1.0f : 0.0f);
}

struct Matrix { float m[2][3]; __device__ float *row(int r) { return m[r]; } };

__global__ void row_pointers(float *out, const float *in, int n) {
  int i = GID;
  if (i >= n) return;
  Matrix a = {{{1, 2, 3}, {4, 5, 6}}};
  float *second = a.row(1);
  second[2] += in[i];
  out[i] = a.m[1][2] * a.row(0)[1];
}

__global__ void local_record(float *out, const float *in, int n) {
  struct Pair { float a, b; __device__ float sum() const { return a + b; } };
  int i = GID;
  if (i < n) { Pair pair = {in[i], 1.0f}; out[i] = pair.sum(); }
}

typedef struct { int x, y; } Point;
typedef struct tagged { Point a, b; } Segment;

__global__ void typedefs(int *out, const int *in, int n) {
  int i = GID;
  if (i >= n) return;
  Segment s;
  s.a.x = in[i]; s.a.y = 1; s.b = s.a; s.b.x -= 4;
  struct tagged t = s;
  out[i] = t.a.x * t.b.x + t.b.y;
}

__global__ void buffers_of_records(Cell *cells, int n) {
  int i = GID;
  if (i < n) { Cell c = cells[i]; c.count += 1; c.value *= 2.0f; cells[i] = c; }
}

__global__ void soa(float3 *out, const float3 *in, int n) {
  int i = GID;
  if (i < n) { const float3 &p = in[i]; out[i].x = p.y; out[i].y = p.z; out[i].z = p.x; }
}

struct Tiny { unsigned char r, g, b; };
__global__ void shift(Cell *c, int n) { int i = GID; if (i > 0 && i < n && (i & 1)) { Cell v = c[i - 1]; v.count += (c + i)->count; c[i] = v; } }
__global__ void tiny(Tiny *c, int n) { int i = GID; if (i > 0 && i < n && (i & 1)) { Tiny v = c[i - 1]; v.r += c[i].g; c[i] = v; } }
struct Stats { int count; float sum; unsigned bits; };
__global__ void atomic_fields(Stats *stats, const float *in, int n) {
  int i = GID;
  if (i < n) atomicAdd(&stats->count, 1);
  if (i < n) atomicAdd(&stats[0].sum, in[i]);
}
__global__ void positions(float3 *p, int n) { int i = GID; if (i > 0 && i < n && (i & 1)) { p[i] = p[i - 1]; float y = p[i].y; float3 q = p[i]; q.z += y; p[i] = q; } }
