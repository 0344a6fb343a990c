#include <metal_stdlib>
using namespace metal;

// Default values of references: the constructor is there for two address spaces, its defaults only for the thread's.
template <typename T>
struct Corner {
  T x, y;
  Corner(const thread T& px = 0, const thread T& py = 0) : x(px), y(py) {}
  Corner(const device T& px, const thread T& py = 0) : x(px), y(py) {}
  Corner(const thread T& px, const device T& py) : x(px), y(py) {}
};

[[kernel]] void corners(
    const device float* a [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* b [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= n) return;
  Corner<float> none;
  Corner<float> half_(0.5f);
  Corner<float> loaded(a[i]);
  Corner<float> both(loaded.x, a[0]);
  b[i] = none.x + half_.x + loaded.x * both.y;
}
