#include <metal_stdlib>
using namespace metal;

constexpr constant int kRows = 4;

enum Mode { kScale = 1 };

struct Op { float operator()(float v) const { return v + kRows; } };

inline float act(float v) { return v * 2.0f; }

inline float both(float v) { return act(v) + kScale; }

constexpr constant int bwd_kRows = 8;

enum bwd_Mode { bwd_kScale = 3 };

struct bwd_Op {
  int kRows;  // a member, not the constant
  float operator()(float v) const { return v * this->kRows; }
};

using bwd_acc_t = int;

inline float bwd_act(float v) { return v * 3.0f; }

inline float bwd_act(float v, float w) { return v * w; }

inline float bwd_both(float v) { return bwd_act(v) - bwd_kScale * bwd_kRows; }

inline float inner_act(float v) { return v - 5.0f; }

[[kernel]] void homonyms(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= n) return;
  Op p;
  bwd_Op q{kRows};
  bwd_acc_t whole = x[i] * 3.5f;
  float s = act(x[i]) + bwd_act(x[i]) * both(x[i]) + bwd_both(x[i]) + inner_act(x[i]);
  y[i] = s + p(x[i]) + q(x[i]) + whole + bwd_act(s, 2.0f) + bwd_kRows * kScale + bwd_kScale + q.kRows;
}
