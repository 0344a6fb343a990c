#include <metal_stdlib>
using namespace metal;

// support library: cu::keep

struct sampler_ { int count; };

struct thread_ { float value; };

struct texture_like { float half_width; int sampler; float fragment_; };

inline float area(texture_like vertex_) { return vertex_.half_width * 2.0f + vertex_.fragment_ * vertex_.sampler; }

constant float clamp_[2] = {0.5f, 1.5f};

inline int access_(int read, int write) { return read * 3 - write; }

inline int twice(int x) { return 2 * x; }

inline float hidden(float v) { return v - 1.0f; }

inline float c_helper(float x) { return x * 0.5f; }

// What stands beside Metal's own at file scope: constants, types; macros called like words of the language.
constexpr constant int step_ = 3;

constant float M_PI_F_ = 3.0f;

constexpr constant int isnan_ = 4;

template <typename A, typename B> struct is_same_ { static constexpr constant bool value = false; };

template <typename A> struct is_same_<A, A> { static constexpr constant bool value = true; };

[[kernel]] void metal_words(
    const device float* constant_ [[buffer(0)]],
    const constant int& thread_ [[buffer(1)]],
    device float* device_ [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int kernel_ = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  float sampler = 2.0f, half2x = 1.0f;
  if (kernel_ < thread_) device_[kernel_] = constant_[kernel_] * sampler + half2x;
}

[[kernel]] void metal_members(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  texture_like patch = {in[i], 3, 0.5f};
  out[i] = area(patch);
}

[[kernel]] void shadowed(
    const device float* x_in [[buffer(0)]],
    const constant uint& cu_size_of_x [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device float* x [[buffer(3)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_grid [[threads_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  for (uint cu_i = thread_position_in_grid.x + threads_per_grid.x; cu_i < cu_size_of_x; cu_i += threads_per_grid.x) x[cu_i] = x_in[cu_i];
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n) {
    float n = x_in[i];
    for (int i = 0; i < 3; ++i) {
      float x = n + i;
      { float n = x * 2.0f; x = n; }
      n = x;
    }
    x[i] = n;
  } else cu::keep(x, x_in, thread_position_in_grid.x, cu_size_of_x);
}

[[kernel]] void metal_functions(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  float dot = in[i], cross = dot * 2.0f, select = cross - 1.0f, clamp = select * select, mix = clamp + 1.0f;
  float min = fmin(dot, mix), max = fmax(cross, mix), length = precise::sqrt(max * max + min * min);
  out[i] = length + fabs(min);
}

[[kernel]] void index_names(
    const constant int& n [[buffer(0)]],
    device int* out [[buffer(1)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int thread_position_in_grid_ = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  uint threads_per_threadgroup_ = threads_per_threadgroup.x, lane = thread_position_in_threadgroup.x & 31, block = threadgroup_position_in_grid.x, index = 7, group = 3;
  if (thread_position_in_grid_ < n)
    out[thread_position_in_grid_] = threads_per_threadgroup_ + lane * 1000 + block * 100000 + index * group;
}

[[kernel]] void more_words(
    const device int* vec [[buffer(0)]],
    const constant int& uint_ [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device int* array [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int ushort_ = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x), ulong_ = 2, visible = 5, packed_float3_ = 1, as_type_ = 4;
  if (ushort_ < n) array[ushort_] = access_(vec[ushort_], uint_) * ulong_ + visible - packed_float3_ + as_type_;
}

template <typename T>
[[kernel]] void in_namespace(
    const device T* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device T* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n) out[i] = twice(in[i]);
}

[[kernel]] void c_name(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n) out[i] = hidden(in[i]) + hidden(2.0f);
}

[[kernel]] void c_block(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); if (i < n) out[i] = c_helper(in[i]);
}

[[kernel]] void static_kernel(
    const constant int& n [[buffer(0)]],
    device float* out [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); if (i < n) out[i] = i * 0.25f;
}

// error: CU5002
[[kernel]] void half_named(
    const device float* bfloat_ [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* half_ [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n) half_[i] = bfloat_[i] + 1;
}

[[kernel]] void kernel(
    const device float* b [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* a [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); if (i < n) a[i] = b[i];
}

[[kernel]] void vertex(
    const device float* b [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* a [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); if (i < n) a[i] = b[i];
}

[[kernel]] void min_kernel(
    const device float* y [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* x [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  float floor = metal::floor(y[i]), fmin = metal::fmin(floor, 2.0f), sqrt = precise::sqrt(metal::fabs(y[i]));
  int popcount = metal::popcount(int(i)), clz = metal::clz(int(i + 1));
  float max = fmax(y[i], 0.0f), round = metal::round(y[i]), rint = metal::rint(y[i]), fabs = metal::fabs(y[i]), fma = metal::fma(max, max, 1.0f);
  x[i] = floor + fmin + sqrt + popcount + clz + max + round + rint + fabs + fma;
}

[[kernel]] void lambda_python(
    const device float* is [[buffer(0)]],
    const constant float& def [[buffer(1)]],
    const constant int& None [[buffer(2)]],
    device float* lambda [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); if (i < None) lambda[i] = is[i] * def;
}

[[kernel]] void float2x(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); float2 float3x3_ = float2(1, 2); if (i < n) out[i] = in[i] * float3x3_.x;
}

[[kernel]] void beside(
    const device float* x [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* y [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
  if (i >= n) return;
  struct sampler_ s = {step_ + 7};
  thread_ t;
  t.value = clamp_[i & 1] + M_PI_F_ + isnan_;
  y[i] = x[i] + s.count + t.value + is_same_<float, float>::value + (2 * (i));
}
