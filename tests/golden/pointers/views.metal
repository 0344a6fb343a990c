#include <metal_stdlib>
using namespace metal;

// Views: records that hold a pointer, made from parameters, whose methods write or return where to.
struct View {
  device float* data;
  const int width;
  View(device float* data, int width) : data(data), width(width) {}
  device float* at(int row, int column) { return data + row * width + column; }
  device float& ref(int row, int column) { return data[row * width + column]; }
  void set(int row, int column, float v) { data[row * width + column] = v; }
};

struct Read {
  const device float* data;
  int width;
  float item(int row, int column) const { return data[row * width + column]; }
};

struct Late {
  device float* data;
  Late() { data = nullptr; }
  void open(device float* from, int row, int width) { data = from + row * width; }
  void put(int column, float v) { this->data[column] = v; }
};

inline void fill(uint3 threadgroup_position_in_grid, uint3 thread_position_in_threadgroup, View v, float x) { v.set(threadgroup_position_in_grid.x, thread_position_in_threadgroup.x, x); }

[[kernel]] void by_pointer(
    const device float* in [[buffer(0)]],
    const constant int& width [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
  View v(out, width);
  Read r = {in, width};
  device float* p = v.at(threadgroup_position_in_grid.x, thread_position_in_threadgroup.x);
  *p = r.item(threadgroup_position_in_grid.x, thread_position_in_threadgroup.x);
}

[[kernel]] void by_direct(
    const constant int& width [[buffer(0)]],
    device float* out [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
  View v(out, width);
  *v.at(threadgroup_position_in_grid.x, thread_position_in_threadgroup.x) = 1.0f;
}

[[kernel]] void by_reference(
    const constant int& width [[buffer(0)]],
    device float* out [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
  View v(out, width);
  v.ref(threadgroup_position_in_grid.x, thread_position_in_threadgroup.x) = 2.0f;
}

[[kernel]] void opened(
    const constant int& width [[buffer(0)]],
    device float* out [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
  Late v;
  v.open(out, threadgroup_position_in_grid.x, width);
  v.put(thread_position_in_threadgroup.x, 3.0f);
}

[[kernel]] void passed(
    const constant int& width [[buffer(0)]],
    device float* out [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
  fill(threadgroup_position_in_grid, thread_position_in_threadgroup, View(out, width), 4.0f);
}
