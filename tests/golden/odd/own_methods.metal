#include <metal_stdlib>
using namespace metal;

inline float sum_of(const thread float *p) { return p[0] + p[1] + p[2] + p[3]; }

inline void scale_all(thread float (&p)[4], float by) { for (thread float &v : p) v *= by; }

struct Row {
  float v[4];
  int used;
  thread float& at(int k) thread { return v[k]; }
  const thread float& at(int k) const thread { return v[k]; }
  void put(int k, float x) thread { at(k) = x; ++used; }
  float total() const thread { return sum_of(v); }
  void scale(float by) thread { scale_all(v, by); }
  thread float* begin() thread { return v; }
  thread float* end() thread { return v + 4; }
  thread float& operator[](int k) thread { return v[k]; }
  float operator[](int k) const { return v[k]; }
  thread Row& operator+=(const thread Row &o) thread { for (int k = 0; k < 4; ++k) v[k] += o.v[k]; return *this; }
  thread Row* self() thread { return this; }
};

struct Table {
  float v[4];
  float get(int k) const constant { return v[k]; }
  const constant float& operator[](int k) const constant { return v[k]; }
};

constant Table table = {{1.0f, 2.0f, 3.0f, 4.0f}};

template <typename T> struct Span {
  device T *data; int size;
  Span(device T *data, int size) : data(data), size(size) {}
  device T& operator[](int i) const { return data[i]; }
  Span<T> from(int start, int count) const { return Span<T>(data + start, count); }
};

[[kernel]] void local_row(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  Row r, other = {{1.0f, 2.0f, 3.0f, 4.0f}, 1};
  r.used = 0;
  for (int k = 0; k < 4; ++k) r.put(k, in[(i + k) % n]);
  r.scale(0.5f); r[2] += 1.0f; r.self()->used += 2; r += other;
  float s = 0;
  for (thread float *p = r.begin(); p != r.end(); ++p) s = s * 2 + *p;
  const thread Row &c = r;
  out[i] = r.total() + r.used + s + c[3] + c.at(0);
}

[[kernel]] void constant_row(
    const constant int& n [[buffer(0)]],
    device float* out [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n) out[i] = table.get(i & 3) * table[(i + 1) & 3];
}

[[kernel]] void spans(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  Span<float> whole(out, n), one = whole.from(i, 1);
  one[0] = in[i];
}
