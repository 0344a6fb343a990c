#include <metal_stdlib>
using namespace metal;

// Conversion operators that call the file's functions, which nothing else calls.
inline float widened(ushort bits) { return as_type<float>((uint)bits << 16); }

struct Brief {
  ushort bits;
  operator float() const { return widened(bits); }
};

template <typename T> struct Fraction {
  T above, below;
  static T safe(T x) { return x == T(0) ? T(1) : x; }
  explicit operator T() const { return above / safe(below); }
};

[[kernel]] void widen(
    const device uchar* x [[buffer(0)]],
    const device float* below [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  const device Brief* x_typed = (const device Brief*)x;
  Fraction<float> fraction = {2.0f, below[thread_position_in_threadgroup.x]};
  y[thread_position_in_threadgroup.x] = x_typed[thread_position_in_threadgroup.x] + static_cast<float>(fraction);
}
