#include <metal_stdlib>
using namespace metal;

// A kernel's class whose template arguments hang on the host function that launches it: MLX passes them.
template <int THREADS_, int ITEMS_, bool REVERSED_, typename value_t_>
struct RowTraits {
  using value_t = value_t_;
  static constexpr constant int THREADS = THREADS_;
  static constexpr constant int ITEMS = ITEMS_;
  static constexpr constant bool REVERSED = REVERSED_;
  static_assert(THREADS % 8 == 0, "whole octets");
};

template <bool DOUBLED, int THREADS_, int ITEMS_, bool REVERSED_, typename value_t_>
[[kernel]] void copy_rows(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
  using Traits = RowTraits<THREADS_, ITEMS_, REVERSED_, value_t_>;
  constexpr int ITEMS = Traits::ITEMS;
  using value_t = typename Traits::value_t;
  int first = (threadgroup_position_in_grid.x * Traits::THREADS + thread_position_in_threadgroup.x) * ITEMS;
  for (int k = 0; k < ITEMS; ++k) {
    int i = first + k;
    if (i < n) y[i] = float(value_t(x[Traits::REVERSED ? n - 1 - i : i])) * (DOUBLED ? 2 : 1);
  }
}
