#include <metal_stdlib>
using namespace metal;

// support library: cu::inout_ptr, cu::inout, cu::atomic_add, cu::keep

// Through helpers, copies of the pointer and what a helper returns.
inline float at(const device float* p, int i, float otherwise) { return p == nullptr ? otherwise : p[i]; }

inline const device float* row_of(const device float* p, int row) { return p == 0 ? nullptr : p + row; }

// Members of a record.
struct Parameters {
  const device float* x;
  const device float* bias;
  device float* out;
  device float* sums;
  int n;
};

inline float biased(const thread Parameters& p, int i) { return p.bias == nullptr ? p.x[i] : p.x[i] + p.bias[i]; }

// Each form of memory: bytes, 3-vectors, records, rows, and elements that their threads keep.
struct Cell { float value; int label; };

// Each way to ask, of arrays that are read.
// cu_has_bias: whether bias is given
// cu_has_mask: whether mask is given
// cu_has_shift: whether shift is given
// cu_has_keep: whether keep is given
// cu_has_scale: whether scale is given
// cu_has_extra: whether extra is given
// cu_has_last: whether last is given
template <bool cu_has_bias, bool cu_has_mask, bool cu_has_shift, bool cu_has_keep, bool cu_has_scale, bool cu_has_extra, bool cu_has_last>
[[kernel]] void asked(
    const device float* bias [[buffer(0)]],
    const device int* mask [[buffer(1)]],
    const device float* shift [[buffer(2)]],
    const device uchar* keep [[buffer(3)]],
    const device float* scale [[buffer(4)]],
    const device float* extra [[buffer(5)]],
    const device float* last [[buffer(6)]],
    const constant int& n [[buffer(7)]],
    device float* out [[buffer(8)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  if (!cu_has_bias) bias = nullptr;
  if (!cu_has_mask) mask = nullptr;
  const device float4* shift_float4 = (const device float4*)shift;
  if (!cu_has_shift) shift_float4 = nullptr;
  if (!cu_has_keep) keep = nullptr;
  if (!cu_has_scale) scale = nullptr;
  if (!cu_has_extra) extra = nullptr;
  if (!cu_has_last) last = nullptr;
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  float value = bias != nullptr ? bias[i] : 0.5f;
  if (!mask || mask[i] > 3) value += 1.0f;
  value += shift_float4 ? shift_float4[i].x + shift_float4[i].w : -1.0f;
  const bool has_keep = static_cast<bool>(keep);
  if (has_keep && keep[i] == 0) value = 0.0f;
  if (scale && n > 2) value *= scale[i];
  if (NULL == extra) value -= 2.0f; else value -= extra[i];
  while (last && value < 0.0f) value += fabs(last[i]) + 1.0f;
  out[i] = value;
}

// cu_has_bias: whether bias is given
// cu_has_scale: whether scale is given
// cu_has_table: whether table is given
template <bool cu_has_bias, bool cu_has_scale, bool cu_has_table>
[[kernel]] void handed_on(
    const device float* bias [[buffer(0)]],
    const device float* scale [[buffer(1)]],
    const device float* table [[buffer(2)]],
    const constant int& n [[buffer(3)]],
    device float* out [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  if (!cu_has_bias) bias = nullptr;
  if (!cu_has_scale) scale = nullptr;
  if (!cu_has_table) table = nullptr;
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  const device float* copy = scale;
  const device float* row = row_of(table, i);
  float value = at(bias, i, 2.0f);
  if (copy) value *= copy[i];
  out[i] = row ? value + row[0] : value;
}

// cu_has_p_bias: whether p_bias is given
// cu_has_p_sums: whether p_sums is given
template <bool cu_has_p_bias, bool cu_has_p_sums>
[[kernel]] void of_members(
    const device float* p_x [[buffer(0)]],
    const device float* p_bias [[buffer(1)]],
    const constant int& p_n [[buffer(2)]],
    device float* p_out [[buffer(3)]],
    device float* p_sums [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  Parameters p;
  p.x = p_x;
  if (!cu_has_p_bias) p_bias = nullptr;
  p.bias = p_bias;
  p.out = p_out;
  if (!cu_has_p_sums) p_sums = nullptr;
  p.sums = p_sums;
  p.n = p_n;
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= p.n) return;
  p.out[i] = biased(p, i);
  if (p.sums != nullptr) p.sums[i] = 2.0f * p.x[i];
}

// Outputs that may not be wanted, and arrays that are changed: each way in which MLX takes one.
// cu_has_lse: whether lse is given
// cu_has_state: whether state is given
// cu_has_total: whether total is given
// cu_has_chain: whether chain is given
template <bool cu_has_lse, bool cu_has_state, bool cu_has_total, bool cu_has_chain>
[[kernel]] void written(
    const device float* x [[buffer(0)]],
    const device float* state_in [[buffer(1)]],
    const constant uint& cu_size_of_state [[buffer(2)]],
    const device float* chain_in [[buffer(3)]],
    const constant int& n [[buffer(4)]],
    device float* out [[buffer(5)]],
    device float* lse [[buffer(6)]],
    device float* state [[buffer(7)]],
    device float* total [[buffer(8)]],
    device uint* chain_delta [[buffer(9)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_grid [[threads_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  if (!cu_has_lse) lse = nullptr;
  for (uint cu_i = thread_position_in_grid.x; cu_i < cu_size_of_state; cu_i += threads_per_grid.x) state[cu_i] = state_in[cu_i];
  if (!cu_has_state) state = nullptr;
  if (!cu_has_total) total = nullptr;
  cu::inout_ptr<float> chain = cu::inout<float>(chain_in, chain_delta);
  if (!cu_has_chain) chain = nullptr;
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  out[i] = x[i] * 2.0f;
  if (lse) lse[i] = x[i] + 1.0f;
  if (state != nullptr) state[i] += x[i];
  if (total) cu::atomic_add(total, x[i]);
  const bool has_chain = chain.base;
  if (!chain.base) return;
  float before = chain.base ? chain[n - 1 - i].get() : 0.0f;
  if (chain.base && has_chain && i > 0) chain[n - 1 - i] = before + x[i];
}

// cu_has_text: whether text is given
// cu_has_points: whether points is given
// cu_has_cells: whether cells is given
// cu_has_rows: whether rows is given
// cu_has_moved: whether moved is given
// cu_has_kept: whether kept is given
template <bool cu_has_text, bool cu_has_points, bool cu_has_cells, bool cu_has_rows, bool cu_has_moved, bool cu_has_kept>
[[kernel]] void forms(
    const device char* text [[buffer(0)]],
    const device float* points [[buffer(1)]],
    const device uchar* cells [[buffer(2)]],
    const device float* rows [[buffer(3)]],
    const device float* moved_in [[buffer(4)]],
    const device float* kept_in [[buffer(5)]],
    const constant uint& cu_size_of_kept [[buffer(6)]],
    const constant int& n [[buffer(7)]],
    device uint* moved_delta [[buffer(8)]],
    device float* kept [[buffer(9)]],
    device float* out [[buffer(10)]],
    uint3 thread_position_in_grid [[thread_position_in_grid]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_grid [[threads_per_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  const device char* text_char = (const device char*)text;
  if (!cu_has_text) text_char = nullptr;
  const device packed_float3* points_packed_float3 = (const device packed_float3*)points;
  if (!cu_has_points) points_packed_float3 = nullptr;
  const device Cell* cells_typed = (const device Cell*)cells;
  if (!cu_has_cells) cells_typed = nullptr;
  const device float (*rows_rows)[4] = (const device float (*)[4])rows;
  if (!cu_has_rows) rows_rows = nullptr;
  cu::inout_ptr<packed_float3> moved = cu::inout_ptr<float>(moved_in, moved_delta).as<packed_float3>();
  if (!cu_has_moved) moved = nullptr;
  for (uint cu_i = thread_position_in_grid.x + threads_per_grid.x; cu_i < cu_size_of_kept; cu_i += threads_per_grid.x) kept[cu_i] = kept_in[cu_i];
  if (!cu_has_kept) kept = nullptr;
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i < n && kept != nullptr) kept[i] = kept_in[i] * 2.0f; else cu::keep(kept, kept_in, thread_position_in_grid.x, cu_size_of_kept);
  if (i >= n) return;
  float value = text_char ? (float)text_char[i] : 0.0f;
  if (points_packed_float3) value += points_packed_float3[i].y;
  if (cells_typed != nullptr && cells_typed[i].label > 0) value += cells_typed[i].value;
  value += !rows_rows ? 1.0f : rows_rows[i / 4][i % 4];
  if (moved.base) moved[n - 1 - i] = float3(value, moved.base[n - 1 - i].x, 1.0f);
  out[i] = value;
}

// The dtype of arrays that may all be missing.
// cu_has_bias: whether bias is given
// cu_has_shift: whether shift is given
template <typename T, bool cu_has_bias, bool cu_has_shift>
[[kernel]] void typed(
    const device T* bias [[buffer(0)]],
    const device T* shift [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device float* out [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  if (!cu_has_bias) bias = nullptr;
  if (!cu_has_shift) shift = nullptr;
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  float value = 1.0f;
  if (bias) value += (float)bias[i];
  if (shift) value -= (float)shift[i];
  out[i] = value;
}

// Not what may be missing: an assertion, an element, the only output.
[[kernel]] void needed(
    const device float* x [[buffer(0)]],
    const device int* flags [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device float* out [[buffer(3)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  /* assert(x != nullptr) */;  // warning: CU4202
  if (out == nullptr || i >= n || flags[i] == 0 || !flags[i]) return;
  out[i] = x[i];
}

// The kernel does not look at the pointer, but a launch passes null.
// cu_has_bias: whether bias is given
// cu_has_copy: whether copy is given
template <bool HAS_BIAS, bool cu_has_bias, bool cu_has_copy>
[[kernel]] void flagged(
    const device float* x [[buffer(0)]],
    const device float* bias [[buffer(1)]],
    const constant int& n [[buffer(2)]],
    device float* out [[buffer(3)]],
    device float* copy [[buffer(4)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
    uint3 threads_per_threadgroup [[threads_per_threadgroup]]) {
  if (!cu_has_bias) bias = nullptr;
  if (!cu_has_copy) copy = nullptr;
  int i = (threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x);
  if (i >= n) return;
  float value = HAS_BIAS ? x[i] + bias[i] : x[i];
  out[i] = value;
  if (HAS_BIAS) copy[i] = value;
}
