#include <metal_stdlib>
using namespace metal;

// Operators of a record's friends, with the specifiers in any order.
struct Complex {
  float re, im;
  friend Complex operator*(const thread Complex &a, const thread Complex &b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
};

// Friends with names, called with objects in several memories.
class Vec {
  float x, y;
 public:
  Vec(float a, float b) : x(a), y(b) {}
  friend float dot_(const thread Vec &a, const thread Vec &b) { return a.x * b.x + a.y * b.y; }
  friend float dot_(const device Vec &a, const thread Vec &b) { return a.x * b.x + a.y * b.y; }
  friend float dot_(const device Vec &a, const device Vec &b) { return a.x * b.x + a.y * b.y; }
  friend Vec scaled(uint3 thread_position_in_threadgroup, Vec a, float s) { return Vec(a.x * s * (thread_position_in_threadgroup.x + 1), a.y * s); }
  friend Vec operator+(Vec a, Vec b) { return Vec(a.x + b.x, a.y + b.y); }
};

[[kernel]] void mandelbrot(
    const device float* c [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* steps [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  const device float2* c_float2 = (const device float2*)c;
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x, k = 0;
  if (i >= n) return;
  Complex z{0.0f, 0.0f}, at{c_float2[i].x, c_float2[i].y};
  for (; k < 50 && z.re * z.re + z.im * z.im < 4.0f; ++k) z = z * z + at;
  steps[i] = k;
}

[[kernel]] void vectors(
    const device float* x [[buffer(0)]],
    const device uchar* others [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device float* y [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  const device Vec* others_typed = (const device Vec*)others;
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= n) return;
  Vec a(x[i], 1.0f), b(2.0f, x[i]);
  y[i] = dot_(a, scaled(thread_position_in_threadgroup, b, 3.0f)) + dot_(a + b, a) + dot_(others_typed[0], b) + dot_(others_typed[1], others_typed[2]);
}
