#include <metal_stdlib>
using namespace metal;

// support library: cu::keep

[[kernel]] void guarded(
    const device float* y_in [[buffer(0)]],
    const constant uint& cu_size_of_y [[buffer(1)]],
    const device float* x [[buffer(2)]],
    const constant float& a [[buffer(3)]],
    const constant int& n [[buffer(4)]],
    device float* y [[buffer(5)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_grid [[threads_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  for (uint cu_i = thread_position_in_grid.x + threads_per_grid.x; cu_i < cu_size_of_y; cu_i += threads_per_grid.x) y[cu_i] = y_in[cu_i];
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n) y[i] = a * x[i] + y_in[i]; else cu::keep(y, y_in, thread_position_in_grid.x, cu_size_of_y);
}

[[kernel]] void left_early(
    const device bfloat* y_in [[buffer(0)]],
    const constant uint& cu_size_of_y [[buffer(1)]],
    const device float* x [[buffer(2)]],
    const constant int& n [[buffer(3)]],
    device bfloat* y [[buffer(4)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_grid [[threads_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  for (uint cu_i = thread_position_in_grid.x + threads_per_grid.x; cu_i < cu_size_of_y; cu_i += threads_per_grid.x) y[cu_i] = y_in[cu_i];
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= n) { cu::keep(y, y_in, thread_position_in_grid.x, cu_size_of_y); return; }
  if (x[i] < 0.0f) {
    y[i] = bfloat(y_in[i] + bfloat(1.0f));
  } else cu::keep(y, y_in, thread_position_in_grid.x, cu_size_of_y);
}

// Three buffers, two of them read again after their write.
[[kernel]] void adam(
    const device float* p_in [[buffer(0)]],
    const constant uint& cu_size_of_p [[buffer(1)]],
    const device float* m_in [[buffer(2)]],
    const constant uint& cu_size_of_m [[buffer(3)]],
    const device float* v_in [[buffer(4)]],
    const constant uint& cu_size_of_v [[buffer(5)]],
    const device float* g [[buffer(6)]],
    const constant float& rate [[buffer(7)]],
    const constant int& n [[buffer(8)]],
    device float* p [[buffer(9)]],
    device float* m [[buffer(10)]],
    device float* v [[buffer(11)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_grid [[threads_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  for (uint cu_i = thread_position_in_grid.x + threads_per_grid.x; cu_i < cu_size_of_p; cu_i += threads_per_grid.x) p[cu_i] = p_in[cu_i];
  for (uint cu_i = thread_position_in_grid.x + threads_per_grid.x; cu_i < cu_size_of_m; cu_i += threads_per_grid.x) m[cu_i] = m_in[cu_i];
  for (uint cu_i = thread_position_in_grid.x + threads_per_grid.x; cu_i < cu_size_of_v; cu_i += threads_per_grid.x) v[cu_i] = v_in[cu_i];
  const int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= n) {
    cu::keep(p, p_in, thread_position_in_grid.x, cu_size_of_p); cu::keep(m, m_in, thread_position_in_grid.x, cu_size_of_m); cu::keep(v, v_in, thread_position_in_grid.x, cu_size_of_v); return;
  }
  m[i] = 0.9f * m_in[i] + 0.1f * g[i];
  v[i] = 0.99f * v_in[i] + 0.01f * g[i] * g[i];
  p[i] = p_in[i] - (rate * m[i] / (precise::sqrt(v[i]) + 1e-8f));
}

[[kernel]] void counted(
    const device uchar* y_in [[buffer(0)]],
    const constant uint& cu_size_of_y [[buffer(1)]],
    const device int* z_in [[buffer(2)]],
    const constant uint& cu_size_of_z [[buffer(3)]],
    const constant int& n [[buffer(4)]],
    device uchar* y [[buffer(5)]],
    device int* z [[buffer(6)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_grid [[threads_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  for (uint cu_i = thread_position_in_grid.x + threads_per_grid.x; cu_i < cu_size_of_y; cu_i += threads_per_grid.x) y[cu_i] = y_in[cu_i];
  for (uint cu_i = thread_position_in_grid.x + threads_per_grid.x; cu_i < cu_size_of_z; cu_i += threads_per_grid.x) z[cu_i] = z_in[cu_i];
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i < n && y_in[i] > 3) {
    y[i] = uchar(y_in[i] + 1);
    z[i] = z_in[i] << 1;
  } else { cu::keep(y, y_in, thread_position_in_grid.x, cu_size_of_y); cu::keep(z, z_in, thread_position_in_grid.x, cu_size_of_z); }
}

// More than a chain of ifs before the write: the element is copied first.
[[kernel]] void clamped(
    const device float* y_in [[buffer(0)]],
    const constant uint& cu_size_of_y [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device float* y [[buffer(3)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_grid [[threads_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  for (uint cu_i = thread_position_in_grid.x; cu_i < cu_size_of_y; cu_i += threads_per_grid.x) y[cu_i] = y_in[cu_i];
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= n) return;
  if (y[i] < 0.0f)
    y[i] = 0.0f;
  else
    y[i] *= 2.0f;
}

[[kernel]] void strided(
    const device float* y_in [[buffer(0)]],
    const constant uint& cu_size_of_y [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device float* y [[buffer(3)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threadgroups_per_grid [[threadgroups_per_grid]],
    uint3 threads_per_grid [[threads_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  for (uint cu_i = thread_position_in_grid.x; cu_i < cu_size_of_y; cu_i += threads_per_grid.x) y[cu_i] = y_in[cu_i];
  for (int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x; i < n; i += threadgroups_per_grid.x * threads_per_threadgroup.x) y[i] *= 2.0f;
}
