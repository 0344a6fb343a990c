// Pointers that a kernel compares with null: the caller may leave the array out.
#include <cuda_fp16.h>

#define ROW (blockIdx.x * blockDim.x + threadIdx.x)

// Each way to ask, of arrays that are read.
__global__ void asked(const float* bias, const int* mask, const float4* shift, const unsigned char* keep,
                      const float* scale, const float* extra, const float* last, float* out, int n) {
  int i = ROW;
  if (i >= n) return;
  float value = bias != nullptr ? bias[i] : 0.5f;
  if (!mask || mask[i] > 3) value += 1.0f;
  value += shift ? shift[i].x + shift[i].w : -1.0f;
  const bool has_keep = static_cast<bool>(keep);
  if (has_keep && keep[i] == 0) value = 0.0f;
  if (scale && n > 2) value *= scale[i];
  if (NULL == extra) value -= 2.0f; else value -= extra[i];
  while (last && value < 0.0f) value += fabsf(last[i]) + 1.0f;
  out[i] = value;
}

// Through helpers, copies of the pointer and what a helper returns.
__device__ float at(const float* p, int i, float otherwise) { return p == nullptr ? otherwise : p[i]; }
__device__ const float* row_of(const float* p, int row) { return p == 0 ? nullptr : p + row; }
__global__ void handed_on(const float* bias, const float* scale, const float* table, float* out, int n) {
  int i = ROW;
  if (i >= n) return;
  const float* copy = scale;
  const float* row = row_of(table, i);
  float value = at(bias, i, 2.0f);
  if (copy) value *= copy[i];
  out[i] = row ? value + row[0] : value;
}

// Members of a record.
struct Parameters {
  const float* x;
  const float* bias;
  float* out;
  float* sums;
  int n;
};
__device__ float biased(const Parameters& p, int i) { return p.bias == nullptr ? p.x[i] : p.x[i] + p.bias[i]; }
__global__ void of_members(Parameters p) {
  int i = ROW;
  if (i >= p.n) return;
  p.out[i] = biased(p, i);
  if (p.sums != nullptr) p.sums[i] = 2.0f * p.x[i];
}

// Outputs that may not be wanted, and arrays that are changed: each way in which MLX takes one.
__global__ void written(const float* x, float* out, float* lse, float* state, float* total, float* chain, int n) {
  int i = ROW;
  if (i >= n) return;
  out[i] = x[i] * 2.0f;
  if (lse) lse[i] = x[i] + 1.0f;
  if (state != nullptr) state[i] += x[i];
  if (total) atomicAdd(total, x[i]);
  const bool has_chain = chain;
  if (!chain) return;
  float before = chain ? chain[n - 1 - i] : 0.0f;
  if (chain && has_chain && i > 0) chain[n - 1 - i] = before + x[i];
}

// Each form of memory: bytes, 3-vectors, records, rows, and elements that their threads keep.
struct Cell { float value; int label; };
__global__ void forms(const char* text, const float3* points, const Cell* cells, const float (*rows)[4], float3* moved,
                      float* kept, float* out, int n) {
  int i = ROW;
  if (i < n && kept != nullptr) kept[i] = kept[i] * 2.0f;
  if (i >= n) return;
  float value = text ? (float)text[i] : 0.0f;
  if (points) value += points[i].y;
  if (cells != nullptr && cells[i].label > 0) value += cells[i].value;
  value += !rows ? 1.0f : rows[i / 4][i % 4];
  if (moved) moved[n - 1 - i] = make_float3(value, moved[n - 1 - i].x, 1.0f);
  out[i] = value;
}

// The dtype of arrays that may all be missing.
template <typename T>
__global__ void typed(const T* bias, const T* shift, float* out, int n) {
  int i = ROW;
  if (i >= n) return;
  float value = 1.0f;
  if (bias) value += (float)bias[i];
  if (shift) value -= (float)shift[i];
  out[i] = value;
}

// Not what may be missing: an assertion, an element, the only output.
__global__ void needed(const float* x, const int* flags, float* out, int n) {
  int i = ROW;
  assert(x != nullptr);  // warning: CU4202
  if (out == nullptr || i >= n || flags[i] == 0 || !flags[i]) return;
  out[i] = x[i];
}

// The kernel does not look at the pointer, but a launch passes null.
template <bool HAS_BIAS>
__global__ void flagged(const float* x, const float* bias, float* out, float* copy, int n) {
  int i = ROW;
  if (i >= n) return;
  float value = HAS_BIAS ? x[i] + bias[i] : x[i];
  out[i] = value;
  if (HAS_BIAS) copy[i] = value;
}

void launch(const float* x, float* out, float* lse, int n) {
  flagged<true><<<(n + 63) / 64, 64>>>(x, x, out, lse, n);
  flagged<false><<<(n + 63) / 64, 64>>>(x, nullptr, out, n > 4 ? lse : (float*)NULL, n);
  written<<<(n + 63) / 64, 64>>>(x, out, lse, nullptr, nullptr, nullptr, n);
}
