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
