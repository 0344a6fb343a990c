#include <metal_stdlib>
using namespace metal;

// support library: cu::atomic_add

// Records with pointers, which a helper takes by a template parameter: what it reads and writes is known all the same.
struct Input {
  const device float* q_ptr;
  long row_stride;
};

struct Scaled : public Input {
  device float* o_ptr;
  device float* sums;
  float scale;
};

template <typename Params>
inline void one_row(uint3 thread_position_in_threadgroup, const thread Params& params, int row) {
  const device float* q = params.q_ptr + row * params.row_stride;
  device float* o = params.o_ptr + row * params.row_stride;
  o[thread_position_in_threadgroup.x] = q[thread_position_in_threadgroup.x] * params.scale;
  cu::atomic_add(&params.sums[row], q[thread_position_in_threadgroup.x]);
}

struct Shifted : public Input {
  device float* o_ptr;
  device float* sums;
  float scale;
};

[[kernel]] void scale_rows(
    const device float* params_q_ptr [[buffer(0)]],
    const constant long& params_row_stride [[buffer(1)]],
    const constant float& params_scale [[buffer(2)]],
    device float* params_o_ptr [[buffer(3)]],
    device float* params_sums [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
  Scaled params;
  params.q_ptr = params_q_ptr;
  params.row_stride = params_row_stride;
  params.o_ptr = params_o_ptr;
  params.sums = params_sums;
  params.scale = params_scale;
  one_row(thread_position_in_threadgroup, params, threadgroup_position_in_grid.x);
}

[[kernel]] void shift_rows(
    const device float* params_q_ptr [[buffer(0)]],
    const constant long& params_row_stride [[buffer(1)]],
    const constant float& params_scale [[buffer(2)]],
    device float* params_o_ptr [[buffer(3)]],
    device float* params_sums [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
  Shifted params;
  params.q_ptr = params_q_ptr;
  params.row_stride = params_row_stride;
  params.o_ptr = params_o_ptr;
  params.sums = params_sums;
  params.scale = params_scale;
  one_row<Shifted>(thread_position_in_threadgroup, params, threadgroup_position_in_grid.x);
}
