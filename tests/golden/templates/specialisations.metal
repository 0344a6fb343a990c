#include <metal_stdlib>
using namespace metal;

// A template function and a traits class, each with specialisations.
template <typename T>
inline float widen(T v);

template <>
inline float widen<float>(float v) { return v; }

template <>
inline float widen<int>(int v) { return (float)v / 2147483647.0f; }

template <int BITS>
struct Packing {
  static constexpr constant int kPerWord = 32 / BITS;
  static constexpr constant uint kMask = (1u << BITS) - 1;
};

template <>
struct Packing<32> {
  static constexpr constant int kPerWord = 1;
  static constexpr constant uint kMask = 0xffffffffu;
};

template <typename T>
[[kernel]] void to_float(
    const device T* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  y[thread_position_in_threadgroup.x] = widen(x[thread_position_in_threadgroup.x]);
}

template <int BITS>
[[kernel]] void unpack(
    const device uint* packed [[buffer(0)]],
    device int* out [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
  uint word = packed[threadgroup_position_in_grid.x];
  int j = thread_position_in_threadgroup.x % Packing<BITS>::kPerWord;
  out[threadgroup_position_in_grid.x * Packing<BITS>::kPerWord + j] = (word >> (j * BITS)) & Packing<BITS>::kMask;
}
