#include <metal_stdlib>
using namespace metal;

// support library: cu::inout_ref, cu::inout_ptr, cu::inout

// One helper is fed device, shared and local memory; each space gets its own overload.
inline float sum4(const device float* p) { return p[0] + p[1] + p[2] + p[3]; }

inline float sum4(const threadgroup float* p) { return p[0] + p[1] + p[2] + p[3]; }

inline float sum4(const thread float* p) { return p[0] + p[1] + p[2] + p[3]; }

inline void increment(thread int& value) { ++value; }

inline void increment(cu::inout_ref<int> value) { ++value; }

[[kernel]] void sums(
    const device float* x [[buffer(0)]],
    const device float* y_in [[buffer(1)]],
    const device int* counts_in [[buffer(2)]],
    device uint* y_delta [[buffer(3)]],
    device uint* counts_delta [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  cu::inout_ptr<float> y = cu::inout<float>(y_in, y_delta);
  cu::inout_ptr<int> counts = cu::inout<int>(counts_in, counts_delta);
  threadgroup float tile[128];
  float local[4] = {1.0f, 2.0f, 3.0f, 4.0f};
  tile[thread_position_in_threadgroup.x] = x[thread_position_in_threadgroup.x];
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  y[thread_position_in_threadgroup.x] = sum4(x) + sum4(tile + thread_position_in_threadgroup.x / 4 * 4) + sum4(local);
  int n = 0;
  increment(n);
  increment(counts[thread_position_in_threadgroup.x]);
  y[thread_position_in_threadgroup.x] += n;
}
