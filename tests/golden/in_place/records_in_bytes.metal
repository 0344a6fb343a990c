#include <metal_stdlib>
using namespace metal;

// support library: cu::bit_value, cu::bit_value_of_record, cu::inout_ptr, cu::reinterpret, cu::part, cu::lane

typedef struct {
  half2 ds;
  char qs[32];
} block;

template <>
struct cu::bit_value<block> : cu::bit_value_of_record<block> {};

[[kernel]] void quantise(
    const device float* x [[buffer(0)]],
    const device uchar* blocks_in [[buffer(1)]],
    device uchar* blocks_delta [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  cu::inout_ptr<uchar> blocks = cu::inout_ptr<uchar>(blocks_in, blocks_delta).as<uchar>();
  cu::inout_ptr<block> y = cu::reinterpret<block>(blocks);
  const int b = thread_position_in_threadgroup.x / 32, i = thread_position_in_threadgroup.x % 32;
  float most = fabs(x[thread_position_in_threadgroup.x]);
  for (int offset = 16; offset > 0; offset /= 2) most = fmax(most, simd_shuffle_xor(most, offset));
  cu::part(y[b], y.base[b].qs[i]) = (char)rint(127.0f * x[thread_position_in_threadgroup.x] / most);
  if (i > 0) return;
  cu::lane<half>(cu::part(y[b], y.base[b].ds), 0) = most / 127.0f;
  cu::lane<half>(cu::part(y[b], y.base[b].ds), 1) = most;
}

[[kernel]] void widest(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  const device float4* x_float4 = (const device float4*)x;
  reinterpret_cast<device float4&>(y[4 * thread_position_in_threadgroup.x]) = x_float4[thread_position_in_threadgroup.x];
}
