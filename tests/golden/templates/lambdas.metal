#include <metal_stdlib>
using namespace metal;

// Local lambdas, by reference and generic.
[[kernel]] void rotate(
    const device float* x [[buffer(0)]],
    const constant float& c [[buffer(1)]],
    const constant float& s [[buffer(2)]],
    device float* y [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  const int i = thread_position_in_threadgroup.x * 2;
  auto turn = [&](float a, float b) { return c * a - s * b; };
  auto twice = [](auto v) { return v + v; };
  y[i] = turn(x[i], x[i + 1]);
  y[i + 1] = twice(turn(x[i + 1], -x[i]));
}
