#include <metal_stdlib>
using namespace metal;

// Parameters whose element type is a member of the class that the kernel is launched for.
template <typename T, int Rows> struct Config {
  using Element = float;
  using Own = T;
  static constexpr constant int kRows = Rows;
};

struct Plain { typedef int Index; };

[[kernel]] void of_members(
    const device float* x [[buffer(0)]],
    const device int* at [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device float* y [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
  using C = Config<int, 32>;
  using P = Plain;
  threadgroup typename C::Element tile[C::kRows];
  int t = thread_position_in_threadgroup.x, i = threadgroup_position_in_grid.x * C::kRows + t;
  tile[t] = i < n ? x[i] : 0.0f;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < n) y[i] = tile[C::kRows - 1 - t] * at[i];
}
