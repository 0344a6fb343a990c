#include <metal_stdlib>
using namespace metal;

// support library: cu::bit_value, cu::bit_value_of_record, cu::inout_ptr, cu::atomic_add, cu::part

struct View {
  const device float *data;
  int stride;
  float at(int i) const { return data[i * stride]; }
  float operator()(int i) const { return at(i) * 2.0f; }
};

struct Cell { float value; int count; };

union Bits { float f; uint u; uchar b[4]; };

struct Packed { uint low : 4, middle : 12; uint high : 16; };

enum class Mode : int { add = 1, multiply = 2, last };

enum Plain { FIRST, SECOND = 5, THIRD };

inline float apply(Mode mode, float a, float b) {
  switch (mode) {
    case Mode::add: return a + b;
    case Mode::multiply: return a * b;
    default: return 0.0f;
  }
}

struct Base { float scale; Base(float s) : scale(s) {} float times(float x) const { return scale * x; } };

struct Derived : Base {
  float offset;
  Derived(float s, float o) : Base(s), offset(o) {}
  float apply(float x) const { return times(x) + offset; }
};

struct Counter {
  int value = 3;
  static int step() { return 2; }
  thread Counter& operator+=(int k) thread { value += k * step(); return *this; }
  int operator[](int k) const { return value + k; }
  explicit operator bool() const { return value & 1; }
};

struct Params { float4 color; packed_float3 axis; int sizes[3]; bool on; };

struct Matrix { float m[2][3]; thread float* row(int r) thread { return m[r]; } };

typedef struct { int x, y; } Point;

typedef struct tagged { Point a, b; } Segment;

template <>
struct cu::bit_value<Cell> : cu::bit_value_of_record<Cell> {};

struct Tiny { uchar r, g, b; };

template <>
struct cu::bit_value<Tiny> : cu::bit_value_of_record<Tiny> {};

struct Stats { int count; float sum; uint bits; };

template <>
struct cu::bit_value<Stats> : cu::bit_value_of_record<Stats> {};

[[kernel]] void pointer_member(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  View view{in, 1};
  if (i < n) out[i] = view.at(i) + view(n - 1 - i);
}

[[kernel]] void shared_records(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  threadgroup Cell cells[64];
  int t = thread_position_in_threadgroup.x, i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  cells[t].value = i < n ? in[i] : 0.0f;
  cells[t].count = t;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  threadgroup Cell &other = cells[63 - t];
  const threadgroup Cell *p = &cells[t];
  if (i < n) out[i] = other.value + p->value + other.count;
}

[[kernel]] void unions(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device uint* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  Bits bits;
  bits.f = in[i];
  out[i] = (bits.u >> 3) + bits.b[0];
}

[[kernel]] void bit_fields(
    const device uint* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device uint* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  Packed p;
  p.low = in[i] & 15u; p.middle = (in[i] >> 4) & 0xfffu; p.high = in[i] >> 16;
  p.low += 13; p.high -= 3;
  out[i] = (p.low | (p.middle << 4) | (p.high << 16)) + sizeof(Packed);
}

[[kernel]] void enum_classes(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n) out[i] = apply(static_cast<Mode>(i % 4), in[i], 3.0f) + THIRD + (int)Mode::last;
}

[[kernel]] void derived(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  Derived d(2.0f, 1.0f);
  if (i < n) out[i] = d.apply(in[i]);
}

[[kernel]] void operators_of_records(
    const device int* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  Counter c;
  (c += in[i]) += 1;
  out[i] = c ? c[1] : -c[2];
}

[[kernel]] void struct_argument(
    const device uchar* p [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  Params p_value = *(const device Params*)p;
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n) out[i] = p_value.color.x + p_value.axis.z + p_value.sizes[i % 3] + (p_value.on ? 1.0f : 0.0f);
}

[[kernel]] void row_pointers(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  Matrix a = {{{1, 2, 3}, {4, 5, 6}}};
  thread float *second = a.row(1);
  second[2] += in[i];
  out[i] = a.m[1][2] * a.row(0)[1];
}

[[kernel]] void local_record(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  struct Pair { float a, b; float sum() const { return a + b; } };
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n) { Pair pair = {in[i], 1.0f}; out[i] = pair.sum(); }
}

[[kernel]] void typedefs(
    const device int* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  Segment s;
  s.a.x = in[i]; s.a.y = 1; s.b = s.a; s.b.x -= 4;
  struct tagged t = s;
  out[i] = t.a.x * t.b.x + t.b.y;
}

[[kernel]] void buffers_of_records(
    const device uchar* cells_in [[buffer(0)]],
    const constant uint& cu_size_of_cells [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device uchar* cells [[buffer(3)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_grid [[threads_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  device Cell* cells_typed = (device Cell*)cells;
  for (uint cu_i = thread_position_in_grid.x; cu_i < cu_size_of_cells / sizeof(Cell); cu_i += threads_per_grid.x) cells_typed[cu_i] = ((const device Cell*)cells_in)[cu_i];
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n) { Cell c = cells_typed[i]; c.count += 1; c.value *= 2.0f; cells_typed[i] = c; }
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

[[kernel]] void shift(
    const device uchar* c_in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device uchar* c_delta [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<Cell> c = cu::inout_ptr<uchar>(c_in, c_delta).as<Cell>();
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); if (i > 0 && i < n && (i & 1)) { Cell v = c.base[i - 1]; v.count += (*(c + i)).get().count; c[i] = v; }
}

[[kernel]] void tiny(
    const device uchar* c_in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device uchar* c_delta [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<Tiny> c = cu::inout_ptr<uchar>(c_in, c_delta).as<Tiny>();
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); if (i > 0 && i < n && (i & 1)) { Tiny v = c.base[i - 1]; v.r += c.base[i].g; c[i] = v; }
}

[[kernel]] void atomic_fields(
    const device uchar* stats_in [[buffer(0)]],
    const device float* in [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device uchar* stats_delta [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<Stats> stats = cu::inout_ptr<uchar>(stats_in, stats_delta).as<Stats>();
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n) cu::atomic_add(&cu::part((*stats), (*stats.base).count), 1);
  if (i < n) cu::atomic_add(&cu::part(stats[0], stats.base[0].sum), in[i]);
}

[[kernel]] void positions(
    const device float* p_in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device uint* p_delta [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<packed_float3> p = cu::inout_ptr<float>(p_in, p_delta).as<packed_float3>();
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); if (i > 0 && i < n && (i & 1)) { p[i] = p.base[i - 1]; float y = p[i].get().y; float3 q = p[i].get(); q.z += y; p[i] = q; }
}
