//// saxpy with attributes
[[kernel]] void saxpy(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    const constant float& a [[buffer(2)]],
    const constant int& n [[buffer(3)]],
    uint3 tid [[thread_position_in_threadgroup]],
    uint3 gid [[threadgroup_position_in_grid]],
    uint3 size [[threads_per_threadgroup]],
    uint lane [[thread_index_in_simdgroup]]) {
  int i = int(gid.x * size.x + tid.x);
  if (i < n) y[i] = a * x[i] + y[i] + float(lane) * 0;
}
//// kernel as a word
kernel void fill(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = 1;
}
//// attributes left to Metal
[[kernel]] void fill(device float* x, constant int& n, threadgroup float* s, uint i [[thread_position_in_grid]]) {
  s[0] = n;
  x[i] = s[0];
}
//// bound on threads
[[kernel, max_total_threads_per_threadgroup(256)]] void fill(
    device float* x [[buffer(0)]], uint2 i [[thread_position_in_grid]], ushort2 n [[threads_per_threadgroup]]) {
  x[i.x] = n.y;
}
//// template with host names
template <typename T, int N>
[[kernel]] void scale(const device T* x [[buffer(0)]], device T* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  threadgroup T tile[N];
  tile[i % N] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = tile[(i + 1) % N] * T(N);
}
template [[host_name("scale_float_128")]] [[kernel]] decltype(scale<float, 128>) scale<float, 128>;
template [[host_name("scale_half_64")]] [[kernel]] decltype(scale<half, 64>) scale<half, 64>;
template [[host_name("scale_bfloat_64")]] [[kernel]] decltype(scale<bfloat, 64>) scale<bfloat, 64>;
//// function constants
constant bool use_bias [[function_constant(0)]];
constant int width [[function_constant(1)]];
constant bool has_width = is_function_constant_defined(width);
[[kernel]] void k(
    device float* x [[buffer(0)]],
    const device float* bias [[buffer(1), function_constant(use_bias)]],
    uint i [[thread_position_in_grid]]) {
  if (use_bias) x[i] += bias[i % uint(has_width ? width : 1)];
}
//// program-scope constants
constant float table[4] = {0.0f, 0.25f, 0.5f, 1.0f};
constant float4 basis[2] = {float4(1, 2, 3, 4), float4(0.5f)};
constexpr constant int width = 32;
static constexpr constant float scale = 0.5f;
template <typename T>
static constexpr constant T zero_of = T(0);
[[kernel]] void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = table[i % 4] * scale + basis[i % 2].w + zero_of<float> + width;
}
//// threadgroup memory of every shape
struct Best {
  float value;
  int index;
};
[[kernel]] void k(device float* x [[buffer(0)]], uint t [[thread_index_in_threadgroup]]) {
  threadgroup float row[256], column[16][17];
  threadgroup Best best[8];
  threadgroup float4 vectors[4];
  threadgroup atomic_int counter;
  threadgroup bool done;
  threadgroup float* cursor = row;
  const threadgroup float* other = &column[0][0];
  if (t == 0) {
    atomic_store_explicit(&counter, 0, memory_order_relaxed);
    done = false;
    best[0] = Best{1.0f, 2};
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  cursor += t;
  vectors[t % 4] = float4(*cursor, other[1], best[0].value, done ? 1 : 0);
  x[t] = vectors[0].x + column[t % 16][1];
}
//// threadgroup memory up to the limit
[[kernel]] void k(device float* x [[buffer(0)]], uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[8192];
  tile[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = tile[t ^ 1];
}
//// structs from constant memory
struct Params {
  int rows;
  int columns;
  float scale;
  float2 offset;
};
float apply(Params p, float v) { return v * p.scale + p.offset.y; }
[[kernel]] void k(const constant Params& p [[buffer(0)]], const constant Params* all [[buffer(1)]], device float* x [[buffer(2)]]) {
  Params local = p;
  local.rows += 1;
  x[local.rows] = apply(local, x[0]) + all[1].scale + apply(all[2], 1);
}
//// every known value
[[kernel]] void k(
    device uint* x [[buffer(0)]],
    uint3 a [[thread_position_in_grid]],
    uint3 b [[thread_position_in_threadgroup]],
    uint3 c [[threadgroup_position_in_grid]],
    uint3 d [[threadgroups_per_grid]],
    uint3 e [[threads_per_grid]],
    uint3 f [[threads_per_threadgroup]],
    uint g [[thread_index_in_threadgroup]],
    uint h [[simdgroup_index_in_threadgroup]],
    uint i [[simdgroups_per_threadgroup]],
    uint j [[thread_index_in_simdgroup]],
    uint k [[threads_per_simdgroup]],
    ushort l [[thread_index_in_quadgroup]]) {
  x[g] = a.x + b.y + c.z + d.x + e.x + f.x + h + i + j + k + l;
}
//// names that are words of OpenCL
[[kernel]] void k(device float* x [[buffer(0)]], uint t [[thread_position_in_grid]]) {
  float local = x[t];
  float global = local * 2;
  int pipe = 3, generic = 4, read_only = 5;
  x[t] = local + global + pipe + generic + read_only;
}
//// pragmas and directives
#pragma METAL fp contract(off)
#define SQUARE(v) ((v) * (v))
#if defined(__METAL_VERSION__) && __METAL_VERSION__ >= 310
#define WIDE 1
#endif
[[kernel]] void k(device float* x [[buffer(0)]], uint t [[thread_position_in_grid]]) {
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 4; i++) sum += SQUARE(x[4 * t + i]);
  _Pragma("clang loop unroll(full)") for (int i = 0; i < WIDE; i++) sum += 1;
  x[t] = sum;
}
//// braces and strings in comments: { [[ ( "
// it's } a comment
[[kernel]] void k(device float* x [[buffer(0)]]) {  // [[not_an_attribute]]
  x[0] = 'a' + '{';  /* double float4* p = x; */
}
