#include <metal_stdlib>
using namespace metal;

// A record that is called like a type of Metal's, with operators of its own, on elements of a buffer.
struct vec_ {
    float x, y;
    vec_() = default;
    explicit vec_(float s) : x(s), y(s) {}
    vec_(float a, float b) : x(a), y(b) {}
    thread float& operator[](int i) thread { return (&x)[i]; }
};

inline vec_ operator*(vec_ a, float s) { return vec_(a.x * s, a.y * s); }

inline vec_ operator+(vec_ a, vec_ b) { return vec_(a.x + b.x, a.y + b.y); }

inline vec_ operator-(vec_ a) { return vec_(-a.x, -a.y); }

inline thread vec_& operator+=(thread vec_& a, vec_ b) {
    a = a + b;
    return a;
}

[[kernel]] void blend(
    const device uchar* a [[buffer(0)]],
    const device uchar* b [[buffer(1)]],
    const constant float& t [[buffer(2)]],
    device uchar* out [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  const device vec_* a_typed = (const device vec_*)a;
  const device vec_* b_typed = (const device vec_*)b;
  device vec_* out_typed = (device vec_*)out;
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  vec_ v = a_typed[i] * (1.0f - t) + b_typed[i] * t;
  v += -vec_(1.0f);
  v[0] = precise::sqrt(fmax(1e-4, v[1]));
  out_typed[i] = v;
}
