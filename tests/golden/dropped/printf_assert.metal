#include <metal_stdlib>
using namespace metal;

[[kernel]] void checked(
    const device int* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  int i = thread_position_in_threadgroup.x;
  /* assert(n > 0) */;  // warning: CU4202
  if (x[i] < 0) /* printf("negative at %d\n", i) */;  // warning: CU4201
  y[i] = x[i];
}
