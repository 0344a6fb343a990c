#include <metal_stdlib>
using namespace metal;

// support library: cu::shfl_xor_sync, cu::lane_xor

// A reduction that unfolds into itself at compile time hands the lane's index down to its own next step.
template <int WIDTH>
struct AllReduce {
  template <typename T, typename Op>
static T run(uint thread_index_in_simdgroup, T x, thread Op& op) {
    constexpr int HALF = WIDTH / 2;
    x = op(x, cu::shfl_xor_sync(x, HALF, 16, thread_index_in_simdgroup));
    return AllReduce<HALF>::run(thread_index_in_simdgroup, x, op);
  }
};

template <>
struct AllReduce<2> {
  template <typename T, typename Op>
static T run(uint thread_index_in_simdgroup, T x, thread Op& op) {
    return op(x, cu::lane_xor(x, 1));
  }
};

struct Larger {
  float operator()(float a, float b) const { return a > b ? a : b; }
};

[[kernel]] void row_maxima(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint thread_index_in_simdgroup [[thread_index_in_simdgroup]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  Larger larger;
  float most = AllReduce<16>::run(thread_index_in_simdgroup, i < n ? x[i] : 0.0f, larger);
  if (i < n) y[i] = most;
}
