#include <metal_stdlib>
using namespace metal;

// A dense switch with fall-through, nested loops with break and continue, do-while, the comma operator.
[[kernel]] void decode(
    const device uchar* code [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  float v = 0.0f;
  for (int i = thread_position_in_threadgroup.x, step = threads_per_threadgroup.x; i < n; i += step) {
    switch (code[i] & 7) {
      case 0: v += 1.0f; break;
      case 1: v -= 1.0f; break;
      case 2: v *= 2.0f;  // falls through
      case 3: v *= 0.5f; break;
      case 4:
      case 5: {
        float w = v;
        do {
          w *= 0.5f;
          if (w < 0.125f) break;
        } while (w > 1.0f);
        v = w;
        break;
      }
      case 6: continue;
      default: v = -v;
    }
  }
  y[thread_position_in_threadgroup.x] = v;
}
