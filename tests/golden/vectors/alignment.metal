#include <metal_stdlib>
using namespace metal;

// Alignment decides the layout of records, and whether wide loads are possible.
struct alignas(16) V { float x, y, z; };

struct alignas(16) W { float x; };

typedef struct alignas(8) { float a; int b; } U;

struct Packet {
  char kind;
  alignas(8) float values[2];
};

[[kernel]] void k(
    const device uchar* v [[buffer(0)]],
    const device uchar* u [[buffer(1)]],
    const device uchar* w [[buffer(2)]],
    device float* y [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  const device V* v_typed = (const device V*)v;
  const device U* u_typed = (const device U*)u;
  W w_value = *(const device W*)w;
  device float4* y_float4 = (device float4*)y;
  alignas(16) threadgroup float s[32];
  alignas(16) float local[4];
  local[0] = v_typed[thread_position_in_threadgroup.x].x + u_typed[0].a + w_value.x;
  s[thread_position_in_threadgroup.x] = local[0];
  y_float4[thread_position_in_threadgroup.x] = *(threadgroup float4*)s;
  y_float4[thread_position_in_threadgroup.x + 32] = *reinterpret_cast<thread float4*>(local);
}

[[kernel]] void packets(
    const device uchar* p [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  const device Packet* p_typed = (const device Packet*)p;
  y[thread_position_in_threadgroup.x] = p_typed[thread_position_in_threadgroup.x].values[1] + sizeof(Packet);
}
