#include <metal_stdlib>
using namespace metal;

// support library: cu::inout_ptr, cu::inout

// Doubles' literals, which are floats in Metal: where more than the last place of a float may hang on them.
[[kernel]] void truncated(
    const device int* n [[buffer(0)]],
    const device float* x [[buffer(1)]],
    const device int* y_in [[buffer(2)]],
    device uint* y_delta [[buffer(3)]],
    device uchar* c [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  cu::inout_ptr<int> y = cu::inout<int>(y_in, y_delta);
  int i = thread_position_in_threadgroup.x;
  int part = n[i] * 0.29;                        // warning: CU4110
  y[i] = (int)(n[i] * (1.0 + 0.7)) + part;       // warning: CU4110
  y[i] += static_cast<int>(x[i] / 0.1);          // warning: CU4110
  c[i] = x[i] * 2.55 + 0.5;                      // warning: CU4110
  if (x[i] == 0.1) y[i] = 0;                     // warning: CU4110
}

[[kernel]] void not_truncated(
    const device int* n [[buffer(0)]],
    const device float* x [[buffer(1)]],
    const device int* z_in [[buffer(2)]],
    device float* y [[buffer(3)]],
    device uint* z_delta [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  cu::inout_ptr<int> z = cu::inout<int>(z_in, z_delta);
  int i = thread_position_in_threadgroup.x;
  y[i] = x[i] * 0.1 + 1.5;
  if (x[i] < 0.1 && x[i] != 0.5) y[i] = 0.3;
  z[i] = (int)(n[i] * 0.5) + (int)(n[i] * 0.29f) + int(floor(x[i] * 0.1));
  int half_ = n[i] / 2.0;
  z[i] += half_;
}
