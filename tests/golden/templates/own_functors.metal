#include <metal_stdlib>
using namespace metal;

// Function objects of the user's, called like those of cooperative groups.
template <typename T, int N>
struct Packet {
  T lanes[N];
};

template <typename T, int N>
struct plus {
  Packet<T, N> operator()(const thread Packet<T, N>& all, const constant T& one) const {
    Packet<T, N> sum;
    for (int i = 0; i < N; ++i) sum.lanes[i] = all.lanes[i] + one;
    return sum;
  }
};

[[kernel]] void shift(
    const device float* x [[buffer(0)]],
    const constant float& by [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device float* y [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (4 * i + 3 >= n) return;
  Packet<float, 4> packet = reinterpret_cast<const device Packet<float, 4>*>(x)[i];
  packet = plus<float, 4>()(packet, by);
  reinterpret_cast<device Packet<float, 4>*>(y)[i] = packet;
}
