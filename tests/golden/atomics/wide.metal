#include <metal_stdlib>
using namespace metal;

// support library: cu::atomic_add

[[kernel]] void flag(
    device int* ready [[buffer(0)]]) {
  cu::atomic_add(ready, 1);  // warning: CU4104
}
