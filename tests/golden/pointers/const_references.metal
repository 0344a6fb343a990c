#include <metal_stdlib>
using namespace metal;

struct Block { half scale; char values[2]; };

inline float scaled(const thread float& scale, const thread int& value) { return scale * value; }

inline float scaled(const device float& scale, const device int& value) { return scale * value; }

[[kernel]] void unpack(
    const device uchar* blocks [[buffer(0)]],
    const device int* counts [[buffer(1)]],
    const device float* scales [[buffer(2)]],
    device float* y [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  const device Block* blocks_typed = (const device Block*)blocks;
  const int i = thread_position_in_threadgroup.x;
  const device Block& block = blocks_typed[i];
  y[i] = scaled(float(block.scale), int(block.values[0])) + scaled(scales[i], counts[i]) + scaled(float(2), int(block.values[1]));
}
