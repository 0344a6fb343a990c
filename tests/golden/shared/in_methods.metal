#include <metal_stdlib>
using namespace metal;

// Threadgroup memory of methods, called plainly, with template arguments, and through a dependent name.
enum class Way { Sum = 1, Most };

template <Way WAY>
struct Fold {
  float value;
  void block(threadgroup float (&partial)[32], uint3 thread_position_in_threadgroup) {
    fold(thread_position_in_threadgroup, partial, 32);
  }
  template <int COUNT>
float block_of(threadgroup float (&partial)[COUNT], uint3 thread_position_in_threadgroup, float scale) {
    return scale * fold(thread_position_in_threadgroup, partial, COUNT);
  }
  float fold(uint3 thread_position_in_threadgroup, threadgroup float* partial, int count) {
    partial[thread_position_in_threadgroup.x] = value;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    float total = partial[0];
    for (int i = 1; i < count; ++i) total = WAY == Way::Sum ? total + partial[i] : fmax(total, partial[i]);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    value = total;
    return total;
  }
};

template <int WAY>
[[kernel]] void folded(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  threadgroup float block_of_partial[32];
  threadgroup float block_partial[32];
  Fold<Way(WAY)> fold;
  fold.value = x[thread_position_in_threadgroup.x];
  float scaled = fold.template block_of<32>(block_of_partial, thread_position_in_threadgroup, 0.5f);
  fold.block(block_partial, thread_position_in_threadgroup);
  y[thread_position_in_threadgroup.x] = fold.value + scaled;
}
