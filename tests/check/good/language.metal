//// helpers in every space
float sum_device(const device float* x, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++) sum += x[i];
  return sum;
}
float sum_thread(const thread float* x, int n) { return n > 0 ? x[0] + sum_device(nullptr, 0) : 0.0f; }
void bump(thread float& x) { x += 1; }
void bump(threadgroup float& x) { x += 1; }
void bump(device float& x) { x += 1; }
[[kernel]] void k(device float* x [[buffer(0)]]) {
  threadgroup float s[4];
  float local[4] = {1, 2, 3, 4};
  bump(local[0]);
  bump(s[0]);
  bump(x[0]);
  x[1] = sum_device(x + 2, 4) + sum_thread(local, 4);
}
//// pointer type as a template argument
template <typename P>
float first(P x) { return float(x[0]); }
[[kernel]] void k(const constant float* c [[buffer(0)]], device half* x [[buffer(1)]]) {
  threadgroup float s[4];
  s[0] = first(c) + first(x);
  x[0] = first(s);
}
//// casts and pointer arithmetic
[[kernel]] void k(device uchar* raw [[buffer(0)]], const device float* x [[buffer(1)]]) {
  device float* f = reinterpret_cast<device float*>(raw) + 4;
  const device float4* v = (const device float4*)(x + 8);
  device uint* bits = (device uint*)(raw);
  f[0] = v[0].x + v->y + as_type<float>(bits[3]);
  *f = *(x + 1);
  f = f + 2;
  ptrdiff_t gap = f - reinterpret_cast<device float*>(raw);
  f[gap] = 0;
}
//// lambdas
[[kernel]] void k(device float* x [[buffer(0)]], uint t [[thread_position_in_grid]]) {
  float scale = 2;
  auto twice = [&](float v) { return v * scale; };
  auto add = [=](float a, float b) -> float { return a + b; };
  x[t] = add(twice(x[t]), 1);
}
//// structs with methods and operators
struct Complex {
  float re, im;
  Complex operator*(Complex o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
  float norm() const { return re * re + im * im; }
};
struct Max {
  static constexpr constant float init = -INFINITY;
  float operator()(float a, float b) const thread { return a > b ? a : b; }
};
template <typename Op>
float reduce(const device float* x, int n) {
  Op op;
  float r = Op::init;
  for (int i = 0; i < n; i++) r = op(r, x[i]);
  return r;
}
[[kernel]] void k(device float* x [[buffer(0)]]) {
  Complex z = {x[0], x[1]};
  z = z * z;
  x[0] = z.norm() + reduce<Max>(x, 4);
}
//// constructors marked thread
struct Accumulator {
  float sum;
  int count;
  Accumulator(float s, int c) thread : sum(s), count(c) {}
  Accumulator() thread : sum(0), count(0) {}
  void add(float v) thread {
    sum += v;
    count++;
  }
};
Accumulator make(float v) { return Accumulator(v, 1); }
[[kernel]] void k(device float* x [[buffer(0)]]) {
  Accumulator a;
  a.add(x[0]);
  a = make(a.sum);
  x[1] = a.sum / a.count;
}
//// if constexpr, static_assert, enum, using
enum class Mode { Sum, Max };
enum { Rows = 4, Columns = 8 };
template <typename T, Mode M>
T combine(T a, T b) {
  static_assert(sizeof(T) <= 8, "small types only");
  if constexpr (M == Mode::Sum) {
    return a + b;
  } else {
    return max(a, b);
  }
}
template <typename T>
using Row = T[Columns];
[[kernel]] void k(device float* x [[buffer(0)]]) {
  Row<float> row = {};
  for (int i = 0; i < Rows; ++i) row[i] = combine<float, Mode::Sum>(x[i], row[i]);
  x[0] = combine<float, Mode::Max>(row[0], row[1]);
}
//// compile-time recursion
template <int N>
struct Unroll {
  static METAL_FUNC float sum(const device float* x) { return x[N - 1] + Unroll<N - 1>::sum(x); }
};
template <>
struct Unroll<0> {
  static METAL_FUNC float sum(const device float*) { return 0; }
};
template <int N>
float halve(float v) {
  if constexpr (N > 0) {
    return halve<N - 1>(v * 0.5f);
  }
  return v;
}
[[kernel]] void k(device float* x [[buffer(0)]]) { x[0] = Unroll<8>::sum(x) + halve<3>(x[1]); }
//// overloads that call each other are no recursion
float clean(float x) { return isnan(x) ? 0.0f : x; }
float2 clean(float2 x) { return float2(clean(x.x), clean(x.y)); }
[[kernel]] void k(device float2* x [[buffer(0)]]) { x[0] = clean(x[1]); }
//// namespaces, unions, switch
namespace tools {
namespace inner {
inline float pick(int i) {
  switch (i) {
    case 0: return 1.0f;
    case 1: return 2.0f;
    default: break;
  }
  return 0.0f;
}
}  // namespace inner
}  // namespace tools
union Bits {
  float4 v;
  float f[4];
  uint u[4];
};
[[kernel]] void k(device float4* x [[buffer(0)]], uint t [[thread_position_in_grid]]) {
  Bits b;
  b.v = x[t];
  b.f[0] = tools::inner::pick(int(b.u[1] & 1));
  x[t] = b.v;
}
//// references to arrays
template <typename T, int N>
void load(thread T (&to)[N], const device T* from) {
  for (int i = 0; i < N; i++) to[i] = from[i];
}
[[kernel]] void k(device float* x [[buffer(0)]]) {
  float r[8];
  load(r, x);
  x[0] = r[7];
}
//// variadic templates and default arguments
template <typename... T>
float total(T... v) { return (0.0f + ... + float(v)); }
float shift(float x, float by = 1.0f) { return x + by; }
[[kernel]] void k(device float* x [[buffer(0)]]) { x[0] = total(1, 2.0f, half(3)) + shift(x[1]); }
//// products of names that are also types
template <typename T>
T value(const device T* x, int i) { return x[i]; }
[[kernel]] void k(device float* x [[buffer(0)]], const constant int& T [[buffer(1)]], const constant int& H [[buffer(2)]]) {
  int base = T * H + (T & H);
  x[base * T] = value(x, T * H);
}
//// a value that a loop gives is no mistake
[[kernel]] void k(const device int* ends [[buffer(0)]], device int* x [[buffer(1)]], const constant int& n [[buffer(2)]]) {
  int found;
  for (int i = 0; i < n; i++) {
    if (ends[i] > x[0]) {
      found = i;
      break;
    }
  }
  x[1] = found;
}
//// values and members of the object for const references
inline float product(const thread float& a, const thread float& b) { return a * b; }
struct Scaled {
  float factor;
  float times(float x) const { return product(factor, x) + product(x + 1.0f, 2.0f); }
};
[[kernel]] void k(device float* x [[buffer(0)]]) {
  Scaled s;
  s.factor = x[0];
  x[1] = s.times(3.0f);
}
//// addresses and references of a method's own members
inline void put(device float* to, const thread void* from) { *to = *(const thread float*)from; }
inline void copy(device float* to, const thread float* from) { *to = *from; }
inline void fetch(const device float* from, thread float* to) { *to = *from; }
struct Held {
  float row[3], last;
  void through(device float* x) {
    put(x, &last);
    copy(x, row + 1);
    copy(x, row);
    fetch(x, &last);
    thread float* pointer = &last;
    thread float& reference = last;
    *pointer = reference;
  }
};
[[kernel]] void k(device float* x [[buffer(0)]]) {
  Held held;
  held.through(x);
}
//// an operator of the base for a member of an object in any space, and a default that is a temporary
template <typename T, int N>
struct List {
  thread T& operator[](int i) thread { return items[i]; }
  const thread T& operator[](int i) const thread { return items[i]; }
  T items[N];
};
struct Shape : List<int, 4> {
  Shape(const thread int& rows = 1, const thread float& scale = 2) {
    for (int i = 0; i < 4; ++i) items[i] = rows * scale;
  }
};
template <typename T>
struct View {
  T total() const { return shape[0] + shape[1]; }
  Shape shape;
};
[[kernel]] void k(device float* x [[buffer(0)]]) {
  View<float> view;
  x[0] = view.total();
}
