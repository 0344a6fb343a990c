#include <metal_stdlib>
using namespace metal;

// flags: --instantiate map<Square>
// The class is named on the command line.
struct Square {
  float operator()(float x) const { return x * x; }
};

[[kernel]] void map(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  using Op = Square;
  Op op;
  y[thread_position_in_threadgroup.x] = op(x[thread_position_in_threadgroup.x]);
}
