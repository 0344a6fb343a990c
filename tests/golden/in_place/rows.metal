#include <metal_stdlib>
using namespace metal;

// support library: cu::inout_ptr, cu::inout

// What a block's threads share out among them: no round can meet another's elements, in a helper neither.
inline void turn(cu::inout_ptr<float> pair, int far, float c) {
  const float x = pair.base[0], y = pair.base[far];
  pair[0] = x * c - y;
  pair[far] = y * c + x;
}

// Rows changed in place: reads that no write can come before see the input.
[[kernel]] void scaled(
    const device float* x_in [[buffer(0)]],
    const device float* s [[buffer(1)]],
    const constant int& width [[buffer(2)]],
    device uint* x_delta [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<float> x = cu::inout<float>(x_in, x_delta);
  for (int i = thread_position_in_threadgroup.x; i < width; i += threads_per_threadgroup.x) {
    const int at = threadgroup_position_in_grid.x * width + i;
    x[at] = x.base[at] * s[i];
  }
}

[[kernel]] void state_update(
    const device float* state_in [[buffer(0)]],
    const device float* decay [[buffer(1)]],
    const constant int& width [[buffer(2)]],
    device uint* state_delta [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<float> state = cu::inout<float>(state_in, state_delta);
  cu::inout_ptr<float> h = state + (ulong)(threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x) * 2 * width;
  for (int n = 0; n < width; ++n) h[2 * n] = h.base[2 * n] * decay[n];
}

// The second loop reads what the first wrote.
[[kernel]] void normalised(
    const device float* x_in [[buffer(0)]],
    const constant int& width [[buffer(1)]],
    device uint* x_delta [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<float> x = cu::inout<float>(x_in, x_delta);
  cu::inout_ptr<float> row = x + (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x) * width;
  float sum = 1.0f;
  for (int i = 0; i < width; ++i) {
    row[i] = row.base[i] * row.base[i];
    sum += row[i].get();
  }
  for (int i = 0; i < width; ++i) row[i] /= sum;
}

// Rounds that meet: the element stays, or the next round's is read, or threads wait for each other.
[[kernel]] void meeting(
    const device float* total_in [[buffer(0)]],
    const constant uint& cu_size_of_total [[buffer(1)]],
    const device float* line_in [[buffer(2)]],
    const device float* tile_in [[buffer(3)]],
    const device float* x [[buffer(4)]],
    const constant int& width [[buffer(5)]],
    device float* total [[buffer(6)]],
    device uint* line_delta [[buffer(7)]],
    device uint* tile_delta [[buffer(8)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_grid [[threads_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  for (uint cu_i = thread_position_in_grid.x; cu_i < cu_size_of_total; cu_i += threads_per_grid.x) total[cu_i] = total_in[cu_i];
  cu::inout_ptr<float> line = cu::inout<float>(line_in, line_delta);
  cu::inout_ptr<float> tile = cu::inout<float>(tile_in, tile_delta);
  const int thread_ = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  for (int i = 0; i < width; ++i) total[thread_] += x[i];
  cu::inout_ptr<float> row = line + thread_ * width;
  for (int i = 1; i < width; ++i) row[i] = row.base[i] + row[i - 1].get();
  cu::inout_ptr<float> part = tile + threadgroup_position_in_grid.x * threads_per_threadgroup.x;
  for (int i = 0; i < 2; ++i) {
    float next = part[(thread_position_in_threadgroup.x + 1) % threads_per_threadgroup.x].get();
    threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
    part[thread_position_in_threadgroup.x] = next + i;
    threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  }
}

// A pointer into either of two arrays, and a step that may be narrower than the count.
[[kernel]] void either(
    const device float* a_in [[buffer(0)]],
    const device float* b_in [[buffer(1)]],
    const constant int& first [[buffer(2)]],
    const constant int& width [[buffer(3)]],
    device uint* a_delta [[buffer(4)]],
    device uint* b_delta [[buffer(5)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<float> a = cu::inout<float>(a_in, a_delta);
  cu::inout_ptr<float> b = cu::inout<float>(b_in, b_delta);
  cu::inout_ptr<float> rows = first ? a : b;
  cu::inout_ptr<float> row = rows + (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x) * 256;
  for (int i = 0; i < width; ++i) row[(uchar)i] += i;
  b[threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x] += 1.0f;
}

[[kernel]] void turned(
    const device float* x_in [[buffer(0)]],
    const device float* c [[buffer(1)]],
    const constant int& width [[buffer(2)]],
    const constant int& far [[buffer(3)]],
    device uint* x_delta [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<float> x = cu::inout<float>(x_in, x_delta);
  cu::inout_ptr<float> rows = x + threadgroup_position_in_grid.x * 2 * width;
  for (int i = thread_position_in_threadgroup.x; i < width; i += threads_per_threadgroup.x) {
    const int at = i / far * 2 * far + i % far;
    turn(rows + at, far, c[i]);
  }
}

// A total for each block or thread is met in every round.
[[kernel]] void totals(
    const device float* sums_in [[buffer(0)]],
    const device float* parts_in [[buffer(1)]],
    const device float* x [[buffer(2)]],
    const constant int& width [[buffer(3)]],
    device uint* sums_delta [[buffer(4)]],
    device uint* parts_delta [[buffer(5)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  cu::inout_ptr<float> sums = cu::inout<float>(sums_in, sums_delta);
  cu::inout_ptr<float> parts = cu::inout<float>(parts_in, parts_delta);
  for (int i = thread_position_in_threadgroup.x; i < width; i += threads_per_threadgroup.x) {
    sums[threadgroup_position_in_grid.x] += x[i];
    parts[threadgroup_position_in_grid.x + 2 * thread_position_in_threadgroup.x] += x[i];
  }
}
