#include <metal_stdlib>
using namespace metal;

// support library: cu::inout_ptr, cu::inout

// min, max and abs of mixed types, and of literals of another type.
[[kernel]] void mixed(
    const device int* k [[buffer(0)]],
    const device float* x [[buffer(1)]],
    const device uint* u_in [[buffer(2)]],
    const device float* y_in [[buffer(3)]],
    const constant ulong& n [[buffer(4)]],
    device uint* u_delta [[buffer(5)]],
    device uint* y_delta [[buffer(6)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  cu::inout_ptr<uint> u = cu::inout<uint>(u_in, u_delta);
  cu::inout_ptr<float> y = cu::inout<float>(y_in, y_delta);
  int i = thread_position_in_threadgroup.x;
  int a = min(k[i], 7);
  uint b = max(u.base[i], 1u);
  uint c = min(uint(k[i]), u.base[i]);
  long d = min((long)n, 100L);
  float e = fmax(x[i], float(0)) + fmax(x[i], 0.0f) + fmin(float(1), x[i]);
  int f = abs(k[i]);
  float g = fmax(x[i], y.base[i]) + fmin(x[i], float(2));
  u[i] = a + b + c + (uint)d + f;
  y[i] = e + g;
}
