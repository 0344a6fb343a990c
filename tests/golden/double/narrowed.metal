#include <metal_stdlib>
using namespace metal;

// flags: --double=float
// On request double becomes float, with a warning.
[[kernel]] void accumulate(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]]) {
  // warning: CU4101
  float sum = 0.0;  // warning: CU4101
  for (int i = 0; i < n; ++i) sum += precise::exp((float)x[i]);  // warning: CU4101
  y[0] = precise::sqrt(sum);
}
