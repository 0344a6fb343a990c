#include <metal_stdlib>
using namespace metal;

inline constexpr int square(int x) { return x * x; }

constexpr constant int TABLE[4] = {1, square(2), square(3), 16};

template <typename T, int N = 4> struct Small {
  T data[N];
  T sum() const { T s = T(0); for (int i = 0; i < N; ++i) s += data[i]; return s; }
};

template <typename T> using Pair = Small<T, 2>;

template <typename T> struct Plus { static T of(T a, T b) { return a + b; } };

template <typename T> struct Times { static T of(T a, T b) { return a * b; } };

template <template <typename> class Op, typename T>
inline T fold(const thread T *x, int n) {
  T r = x[0];
  for (int i = 1; i < n; ++i) r = Op<T>::of(r, x[i]);
  return r;
}

template <typename T>
inline T twice(T x) { return x + x; }

template <>
inline int twice<int>(int x) { return x << 1; }

template <int N>
inline void count_down(thread int *x) { x[0] += N; if constexpr (N > 0) count_down<N - 1>(x); }

template <typename... Ts>
inline float total(Ts... values) { return (values + ...); }

template <typename F>
inline float call(F f, float x) { return f(x); }

inline float cubed(float x) { return x * x * x; }

template <typename T, typename = void> struct Kind { static constexpr constant int value = 0; };

template <typename T> struct Kind<device T*> { static constexpr constant int value = 1; };

inline float with_default(float x, float by = 2.0f, int times = 1) { for (int i = 0; i < times; ++i) x *= by; return x; }

template <class T> struct Traits;

template <> struct Traits<float> { typedef float acc; };

template <> struct Traits<int> { typedef long acc; };

template <class T>
inline typename Traits<T>::acc widen(T x) { typedef typename Traits<T>::acc A; return (A)x * (A)3; }

inline float tmpl(float x) { return cubed(x); }

[[kernel]] void constexpr_calls(
    const constant int& n [[buffer(0)]],
    device int* out [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  constexpr int k = square(5) + 1;
  int local[square(2)];
  for (int j = 0; j < square(2); ++j) local[j] = j * k + TABLE[j];
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n) out[i] = local[i % 4];
}

[[kernel]] void default_arguments(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  Small<float> four{{in[i], 1, 2, 3}};
  Pair<float> two{{in[i], 4}};
  out[i] = four.sum() * two.sum();
}

[[kernel]] void template_template(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  float local[3] = {1.0f, 2.0f, 3.0f};
  if (i < n) out[i] = fold<Plus>(local, 3) + fold<Times, float>(local, 3) * in[i];
}

[[kernel]] void nested_lambdas(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  float bias = 0.5f;
  auto outer = [&](float x) {
    auto inner = [=](float y) { return y * x + bias; };
    bias += 1.0f;
    return inner(2.0f) + inner(twice(x));
  };
  out[i] = outer(in[i]) + bias + twice(i);
}

[[kernel]] void auto_everywhere(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  auto i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  const device auto *p = in + i;
  if (i < (uint)n) {
    auto v = *p;
    auto w = v * 2.0f, z = w + 1.0f;
    device auto &slot = out[i];
    slot = v + w + z;
  }
}

[[kernel]] void range_for(
    const device int* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device int* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  int parts[3] = {in[i], 2, 3};
  int s = 0;
  for (thread int &p : parts) p *= 2;
  for (auto p : parts) s += p;
  out[i] = s;
}

[[kernel]] void template_recursion(
    const constant int& n [[buffer(0)]],
    device int* out [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  int acc[1] = {i};
  count_down<4>(acc);
  if (i < n) out[i] = acc[0];
}

[[kernel]] void variadic(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n) out[i] = total(in[i], 1.0f, 2.0f);
}

[[kernel]] void functions_as_values(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n) out[i] = call([] (float x) { return cubed(x) - 1.0f; }, in[i]);
}

[[kernel]] void partial_specialisations(
    const constant int& n [[buffer(0)]],
    device int* out [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n) out[i] = Kind<float>::value + 10 * Kind<device float*>::value;
}

template <typename T, bool Negate>
[[kernel]] void flags(
    const device T* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device T* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n) out[i] = Negate ? -in[i] : in[i];
}

[[kernel]] void default_parameters(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n) out[i] = with_default(in[i]) + with_default(in[i], 3.0f) + with_default(in[i], 2.0f, 3);
}

[[kernel]] void dependent(
    const device int* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); if (i < n) out[i] = (float)widen<int>(in[i]) + widen(1.5f);
}

[[kernel]] void targ(
    const device float* in [[buffer(0)]],
    const constant int& n [[buffer(1)]],
    device float* out [[buffer(2)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x); if (i < n) out[i] = tmpl(in[i]);
}
