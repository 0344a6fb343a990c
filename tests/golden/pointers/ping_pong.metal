#include <metal_stdlib>
using namespace metal;

// Two shared halves swap their roles through pointers.
inline void swap(threadgroup int* thread& a, threadgroup int* thread& b) {
  threadgroup int* t = a;
  a = b;
  b = t;
}

[[kernel]] void scan(
    const device int* x [[buffer(0)]],
    device int* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  threadgroup int halves[2][256];
  threadgroup int *in = halves[0], *out = halves[1];
  int t = thread_position_in_threadgroup.x;
  in[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (int step = 1; step < 256; step <<= 1) {
    out[t] = t >= step ? in[t] + in[t - step] : in[t];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    swap(in, out);
  }
  y[t] = in[t];
}
