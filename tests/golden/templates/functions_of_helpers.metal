#include <metal_stdlib>
using namespace metal;

inline float add(float a, float b) { return a + b; }

inline float larger(float a, float b) { return fmax(a, b); }

template <int Scale, bool Negate>
inline float scaled(const device float* x, int i) {
  return (Negate ? -1.0f : 1.0f) * Scale * x[i];
}

inline float fold(const device float* x, int n) {
  float folded = x[0];
  for (int i = 1; i < n; ++i) folded = add(folded, x[i]);
  return folded;
}

inline float fold_2(const device float* x, int n) {
  float folded = x[0];
  for (int i = 1; i < n; ++i) folded = larger(folded, x[i]);
  return folded;
}

template <int Width, int load_1, bool load_2>
inline float fold_loaded(const device float* x) {
  float folded = scaled<load_1, load_2>(x, 0);
  for (int i = 1; i < Width; ++i) folded = larger(folded, scaled<load_1, load_2>(x, i));
  return folded + fold_2(x, Width);
}

template <int Width, int Scale>
[[kernel]] void folds(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
  const device float* row = x + threadgroup_position_in_grid.x * Width;
  y[2 * threadgroup_position_in_grid.x] = fold(row, Width) - fold_2(row, Width);
  y[2 * threadgroup_position_in_grid.x + 1] = fold_loaded<(Width < 4 ? 4 : Width), Scale, true>(row);
}
