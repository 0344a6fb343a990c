#include <metal_stdlib>
using namespace metal;

template <typename T>
inline T linear(uint3 at, uint3 size) {
  return static_cast<T>((at.z * size.y + at.y) * size.x + at.x);
}

[[kernel]] void number(
    device int* out [[buffer(0)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  uint3 size = uint3(8, 4, 1);
  uint3 at = thread_position_in_threadgroup;
  if (linear<int>(at, size) < (int)((size).x * (size).y * (size).z)) out[linear<int>(at, threads_per_threadgroup)] = linear<int>(at, size);
}
