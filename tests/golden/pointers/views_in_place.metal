#include <metal_stdlib>
using namespace metal;

// support library: cu::inout_ptr, cu::inout_ref, cu::inout

// Views of buffers that are read and written: both arrays of one kind of view are.
struct View {
  cu::inout_ptr<float> data;
  const int width;
  View(cu::inout_ptr<float> data, int width) : data(data), width(width) {}
  cu::inout_ptr<float> at(int row, int column) { return data + row * width + column; }
  cu::inout_ref<float> ref(int row, int column) { return data[row * width + column]; }
  void set(int row, int column, float v) { data[row * width + column] = v; }
};

[[kernel]] void assigned(
    const device float* out_in [[buffer(0)]],
    const constant int& width [[buffer(1)]],
    device uint* out_delta [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
  cu::inout_ptr<float> out = cu::inout<float>(out_in, out_delta);
  View v = View(out, width);
  View w{out, width};
  w.set(threadgroup_position_in_grid.x, thread_position_in_threadgroup.x, 1.0f);
  v.at(threadgroup_position_in_grid.x, thread_position_in_threadgroup.x)[0] += 1.0f;
}

[[kernel]] void both(
    const device float* a_in [[buffer(0)]],
    const device float* b_in [[buffer(1)]],
    const constant int& width [[buffer(2)]],
    device uint* a_delta [[buffer(3)]],
    device uint* b_delta [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  cu::inout_ptr<float> a = cu::inout<float>(a_in, a_delta);
  cu::inout_ptr<float> b = cu::inout<float>(b_in, b_delta);
  View v(a, width), w(b, width);
  *v.at(0, thread_position_in_threadgroup.x) = 1.0f;
  w.set(0, thread_position_in_threadgroup.x, (*w.at(1, thread_position_in_threadgroup.x)).get());
}

[[kernel]] void counted(
    const device float* out_in [[buffer(0)]],
    const constant int& width [[buffer(1)]],
    device uint* out_delta [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
  cu::inout_ptr<float> out = cu::inout<float>(out_in, out_delta);
  View v(out, width);
  v.ref(threadgroup_position_in_grid.x, thread_position_in_threadgroup.x) += 2.0f;
}
