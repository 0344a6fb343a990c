//// vectors
[[kernel]] void k(device float4* x [[buffer(0)]], const constant float4& c [[buffer(1)]], device uint4* u [[buffer(2)]]) {
  float4 v = x[0];
  v.xy = v.zw;
  v.x += 1;
  v = v * 2 + c - float4(1, 2, 3, 4) / v;
  v = float4(v.xyz, 1);
  v = float4(v.xy, v.zw);
  float3 a = v.xyz, b = float3(1);
  x[1] = float4(cross(a, b), dot(a, b));
  x[2].rgb = normalize(a);
  half4 h = half4(v);
  x[3] = float4(h) + float4(uint4(v));
  bool4 m = v > 0;
  x[4] = select(v, float4(0), m && !(v == 1));
  u[0] = (u[1] << 3) ^ (u[2] & 0xffu) ^ ~u[3];
  if (all(m) || any(v < c)) x[5][2] = v[1];
  v.x = v.z = c.y;
  float2 list[2] = {{1, 2}, {3, 4}};
  x[6] = list[0].xyxy;
}
//// vectors in templates
template <typename T, int N>
T total(vec<T, N> v) {
  T sum = 0;
  for (int i = 0; i < N; i++) sum += v[i];
  return sum;
}
template <typename T>
[[kernel]] void k(device T* x [[buffer(0)]]) {
  using T4 = vec<T, 4>;
  T4 v = *(device T4*)x;
  T4 w = T4(x[0], x[1], x[2], x[3]);
  x[0] = total(v + w) + total(vec<T, 2>(x[4], x[5]));
}
template [[host_name("f")]] [[kernel]] decltype(k<float>) k<float>;
template [[host_name("h")]] [[kernel]] decltype(k<half>) k<half>;
template [[host_name("b")]] [[kernel]] decltype(k<bfloat>) k<bfloat>;
template [[host_name("i")]] [[kernel]] decltype(k<int>) k<int>;
//// packed vectors
struct Particle {
  packed_float3 position;
  float mass;
};
static_assert(sizeof(Particle) == 16 && sizeof(float3) == 16 && sizeof(packed_half3) == 6, "layout");
[[kernel]] void k(device packed_float3* x [[buffer(0)]], device Particle* p [[buffer(1)]], const constant packed_float3& c [[buffer(2)]]) {
  float3 v = x[0];
  x[1] = v * 2.0f + c;
  x[2] = packed_float3(1, 2, 3);
  x[3].y = x[1][0] + p[0].position.z;
  p[1].position = float3(x[2]) + x[3] * 0.5f;
  p[1].position += v;
}
//// half arithmetic
[[kernel]] void k(device half* x [[buffer(0)]], device half2* y [[buffer(1)]]) {
  half a = x[0], b = 1.5h;
  float f = a;
  half c = f * 2.0f;
  x[1] = a * b + c + half(0.5f) + 1;
  y[0] = half2(a, b) * a + exp(y[1]);
  x[2] = max(a, 0.0h) + sqrt(a);
}
//// bfloat signs and choices, in every space
constant bfloat k0 = bfloat(1.5f);
struct S { bfloat a; bfloat2 v; };
[[kernel]] void k(device const bfloat* x [[buffer(0)]], constant bfloat& z [[buffer(1)]], device S* s [[buffer(2)]], device bfloat* y [[buffer(3)]], uint i [[thread_position_in_grid]]) {
  threadgroup bfloat t[4];
  t[i] = -x[i];
  bfloat c = i ? x[i] : t[i];
  c = i ? c : -c;
  y[0] = -(i ? z : k0);
  y[1] = i ? -s[i].a : s[i].a;
  y[2] = -c * -x[i] + (c > z ? c : z);
  y[3] = (i ? s[0].v : -s[1].v).x;
  y[4] -= !x[i] ? x[0] : -x[1];
  float f = i ? x[i] : 0.0f;
  y[5] = bfloat(-f);
}

//// bfloat arithmetic
[[kernel]] void k(device bfloat* x [[buffer(0)]], device float* y [[buffer(1)]], uint t [[thread_position_in_grid]]) {
  bfloat a = x[0];
  float f = a;
  y[0] = a * y[1] + f;
  x[1] = bfloat(f) + a;
  x[2] = a * a - 1;
  x[3] = t < 4 ? a : 0;
  x[4] = static_cast<bfloat>(y[2]);
  x[5] = -a;
  x[6] += a;
  x[7] = 1.0bf;
  y[3] = exp(a);
  half h = half(a);
  x[8] = bfloat(h);
  int n = int(a);
  y[4] = a > 0 && a < y[1] ? n : 0;
}
//// bits
[[kernel]] void k(device uint* x [[buffer(0)]], device float* y [[buffer(1)]]) {
  y[0] = as_type<float>(x[0] | 0x3f800000u);
  half2 h = as_type<half2>(x[1]);
  x[2] = as_type<uint>(h) + popcount(x[3]) + clz(x[4]) + ctz(x[5]) + reverse_bits(x[6]);
  ulong wide = as_type<ulong>(uint2(x[0], x[1]));
  x[7] = uint(wide >> 32) + mulhi(x[0], x[1]) + extract_bits(x[0], 3, 5) + rotate(x[1], 7u);
  x[8] = as_type<ushort2>(x[9]).y + as_type<uchar4>(x[9]).z;
}
//// 64 bits and sizes
[[kernel]] void k(device long* x [[buffer(0)]], const constant int64_t& stride [[buffer(1)]], const constant size_t& n [[buffer(2)]], uint t [[thread_position_in_grid]]) {
  long i = t * stride;
  uint64_t m = n * sizeof(float);
  x[i] = long(m) + max(x[0], stride) + abs(x[1]);
  ulong big = 0xffffffffffffffffUL;
  x[1] = long(big & 0xff) + int8_t(1) + uint16_t(2);
}
//// limits and constants
[[kernel]] void k(device float* x [[buffer(0)]], device int* y [[buffer(1)]]) {
  constexpr int top = numeric_limits<int>::max();
  constexpr bfloat lowest = -numeric_limits<bfloat>::infinity();
  x[0] = numeric_limits<float>::lowest() + INFINITY + NAN + FLT_MAX + M_PI_F + float(HALF_MAX);
  x[1] = float(lowest) + float(numeric_limits<half>::max()) + numeric_limits<float>::quiet_NaN();
  y[0] = top + INT_MIN + metal::numeric_limits<short>::min() + int(UINT_MAX);
}
//// traits
template <typename T, enable_if_t<is_floating_point_v<T>, bool> = true>
T half_of(T x) { return x / 2; }
template <typename T, enable_if_t<is_integral_v<T>, bool> = true>
T half_of(T x) { return x >> 1; }
template <typename T>
using Wide = conditional_t<(sizeof(T) < 4), float, T>;
static_assert(is_same_v<Wide<half>, float> && !is_same_v<int, uint> && is_unsigned_v<uint>, "traits");
[[kernel]] void k(device float* x [[buffer(0)]], device int* y [[buffer(1)]]) {
  x[0] = half_of(x[1]) + half_of(y[0]) + Wide<half>(1);
}
//// array and matrix
[[kernel]] void k(device float4* x [[buffer(0)]]) {
  array<float, 4> a = {1, 2, 3, 4};
  float4x4 m = float4x4(x[0], x[1], x[2], x[3]);
  a[0] = m[0].x + a.size();
  x[4] = m * x[5] + a[0];
  x[6] = transpose(m)[1];
}
//// device copies
struct Pair {
  float value;
  int index;
};
[[kernel]] void k(device Pair* x [[buffer(0)]], device float4* y [[buffer(1)]], const constant float4* z [[buffer(2)]]) {
  threadgroup Pair s[4];
  Pair p = x[0];
  s[0] = p;
  x[1] = s[0];
  p = s[1];
  y[0] = z[1];
  float4 v = z[2];
  y[1] = v.wzyx + z[0].xxyy;
}
//// one side of ?: in another space, by an alias of a template
template <int N>
struct Traits {
  using pair = conditional_t<(N > 2), float4, float2>;
};
template <int N>
[[kernel]] void k(device float2* y [[buffer(0)]], uint t [[thread_position_in_grid]]) {
  using pair = typename Traits<N>::pair;
  threadgroup pair s[8];
  s[t] = t > 1 ? y[t] : float2(1.0f, 0.0f);
  y[t] = t > 0 ? s[t - 1] : float2(1.0f, 0.0f);
}
template [[host_name("k")]] [[kernel]] decltype(k<1>) k<1>;
//// components of a vector whose type hangs on a template parameter
template <typename T>
struct Wide;
template <>
struct Wide<half> {
  typedef float4 type;
};
template <typename T>
[[kernel]] void k(device float* x [[buffer(0)]]) {
  typename Wide<T>::type v = float4(0), w = v;
  v.x += x[0];
  v.yz *= w.xy;
  w.x = v.y + x[1];
  x[0] = v.x - w.x;
}
template [[host_name("h")]] [[kernel]] decltype(k<half>) k<half>;
