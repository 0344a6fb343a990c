#include <metal_stdlib>
using namespace metal;

// support library: cu::array, cu::pair

struct Pair {
  float first, second;
};

inline float f(float x) { return x * 2.0f; }

inline Pair both(float x) { return {x, x + 1.0f}; }

inline cu::array<float, 2> halves(float x) { return {x, 0.5f * x}; }

[[kernel]] void bindings(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]]) {
  auto [a, b] = both(3.0f);
  const auto [c, d] = both(x[0]);
  y[0] = a * b + c * d + f(c);
  Pair p{x[0], x[1]};
  thread auto& [i, f] = p;  // hides the function
  f += 1.0f;
  y[1] = p.second + i;
  const auto whole = both(2.0f);
  y[2] = whole.second;
  auto moved = both(x[2]);
  y[3] = moved.first;
}

[[kernel]] void of_arrays(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]]) {
  cu::array<float, 2> pair = {x[0], x[1]};
  auto [q, r] = pair.items;
  q += 1.0f;
  thread auto& [s, t] = pair.items;
  t += 2.0f;
  y[0] = q - r;
  y[1] = pair[1] + s;
  auto [u, v] = halves(x[2]).items;
  const auto [g, h] = halves(x[3]).items;
  y[2] = u + v + g * h;
  float plain[3] = {1.0f, 2.0f, 3.0f};
  thread auto& [k0, k1, k2] = plain;
  k1 = x[1];
  auto [l0, l1, l2] = plain;
  y[3] = plain[1] + k0 + k2 + l0 + l1 + l2;
  cu::pair<int, float> best{1, x[3]};
  thread auto& [index, value] = best;
  value += 1.0f;
  y[4] = best.second + index;
}

[[kernel]] void lists(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]]) {
  float sum = 0.0f;
  { int k_values[] = {1, 2, 4}; for (int k : k_values) sum += x[k]; }
  if (sum > 0.0f)
    { float scale_values[] = {0.5f, 2.0f}; for (auto scale : scale_values) {
      if (scale > 1.0f) break;
      sum *= scale;
    } }
  { uint k_values[] = {3u, 5u}; for (const thread auto& k : k_values) sum += k; }
  y[0] = sum;
}

// The parts stand for members where the whole lives: in a buffer, in shared memory.
[[kernel]] void in_memory(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device uchar* p [[buffer(2)]],
    device float* y [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  device Pair* p_typed = (device Pair*)p;
  threadgroup Pair shared[32];
  int i = thread_position_in_threadgroup.x;
  threadgroup auto& [a, b] = shared[i];
  a = x[i];
  b = 2.0f * a;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  auto [c, d] = shared[31 - i];
  y[i] = c + d;
  if (i < n) {
    device auto& [first, second] = p_typed[i];
    first = c;
    second = d + 1.0f;
  }
}
