#include <metal_stdlib>
using namespace metal;

// Constants of a class with constexpr constructors.
struct Stage {
  float weight;
  int shift;
  constexpr Stage(float w, int s) : weight(w), shift(s) {}
  constexpr float at(int i) const constant { return weight * ((i >> shift) & 1); }
};

constexpr constant Stage stages[] = {
  Stage{0.5f, 0},  // a list
  Stage(0.25f, 1),
  Stage{2.0f, 2},
};

constexpr constant Stage grid[2][2] = {{Stage{1.0f, 0}, Stage{2.0f, 1}}, {Stage{3.0f, 2}, Stage{4.0f, 3}}};

constexpr constant Stage last = Stage{8.0f, 1};

constexpr constant Stage first = Stage(0.125f, 0);

[[kernel]] void objects(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) y[i] = x[i] * stages[i % 3].at(i) + grid[i & 1][1].at(i) + last.weight - first.weight;
}
