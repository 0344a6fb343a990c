#include <metal_stdlib>
using namespace metal;

// Local lambdas, by reference and generic, and with an array for a parameter.
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

template <int N>
[[kernel]] void look_up(
    const device float* table [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  uint place[N];
  for (int d = 0; d < N; ++d) place[d] = thread_position_in_threadgroup.x + d;
  auto value = [&](const thread uint at[N], int column) { return table[at[N - 1] * 2 + column]; };
  y[thread_position_in_threadgroup.x] = value(place, 0) - value(place, 1);
}
