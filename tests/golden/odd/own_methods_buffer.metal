#include <metal_stdlib>
using namespace metal;

inline float sum_of(const device float *p) { return p[0] + p[1] + p[2] + p[3]; }

struct Row {
  float v[4];
  int used;
  const device float& at(int k) const device { return v[k]; }
  float total() const device { return sum_of(v); }
  float operator[](int k) const { return v[k]; }
};

[[kernel]] void rows_of_a_buffer(
    const device uchar* rows [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  const device Row* rows_typed = (const device Row*)rows;
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n) out[i] = rows_typed[i].total() + rows_typed[i][1] + rows_typed[i].at(2);
}
