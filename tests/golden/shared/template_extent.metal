#include <metal_stdlib>
using namespace metal;

// A helper whose shared array is sized by its own template parameter: the kernel declares it where the call says how
// large, directly or through another helper.
template <int N>
inline int sum_of(threadgroup int (&s)[N], uint3 thread_position_in_threadgroup, const device int* x) {
  if (thread_position_in_threadgroup.x < N) s[thread_position_in_threadgroup.x] = x[thread_position_in_threadgroup.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  int total = 0;
  for (int i = 0; i < N; ++i) total += s[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  return total;
}

template <int HALF>
inline int both_sums(threadgroup int (&sum_of_s)[(2 * HALF)], uint3 thread_position_in_threadgroup, threadgroup int (&sum_of_s_2)[HALF], const device int* x) {
  return sum_of<2 * HALF>(sum_of_s, thread_position_in_threadgroup, x) + sum_of<HALF>(sum_of_s_2, thread_position_in_threadgroup, x);
}

template <typename T, int ROWS = 2>
inline T row_sum(threadgroup T (&rows)[ROWS][8], uint3 thread_position_in_threadgroup, T v) {
  if (thread_position_in_threadgroup.x < ROWS * 8) rows[thread_position_in_threadgroup.x / 8][thread_position_in_threadgroup.x % 8] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  T total = 0;
  for (int i = 0; i < 8; ++i) total += rows[thread_position_in_threadgroup.x / 8 % ROWS][i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  return total;
}

// As many rows as template arguments.
enum class Fold { Sum, Most };

template <typename T, int THREADS, Fold... FOLDS>
inline void fold_all(threadgroup T (&rows)[sizeof...(FOLDS) * THREADS], uint3 thread_position_in_threadgroup, thread T (&values)[sizeof...(FOLDS)]) {
  constexpr int count = sizeof...(FOLDS);
  constexpr Fold folds[] = {FOLDS...};
  for (int k = 0; k < count; ++k) rows[k * THREADS + thread_position_in_threadgroup.x] = values[k];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (int k = 0; k < count; ++k) {
    for (int i = 0; i < THREADS; ++i) {
      T other = rows[k * THREADS + i];
      if (i != thread_position_in_threadgroup.x) values[k] = folds[k] == Fold::Sum ? values[k] + other : max(values[k], other);
    }
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
}

template <Fold... FOLDS>
inline void fold_eight(threadgroup float (&fold_all_rows)[sizeof...(FOLDS) * 8], uint3 thread_position_in_threadgroup, threadgroup float (&fold_all_rows_2)[(1 + sizeof...(FOLDS)) * 8], thread float (&values)[sizeof...(FOLDS)], thread float (&more)[1 + sizeof...(FOLDS)]) {
  fold_all<float, 8, FOLDS...>(fold_all_rows, thread_position_in_threadgroup, values);
  fold_all<float, 8, Fold::Most, FOLDS...>(fold_all_rows_2, thread_position_in_threadgroup, more);
}

[[kernel]] void total(
    const device int* x [[buffer(0)]],
    device int* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
    uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]]) {
  threadgroup int sum_of_s[8];
  threadgroup int sum_of_s_2[(2 * 4)];
  threadgroup int sum_of_s_2_2[4];
  int sum = sum_of<8>(sum_of_s, thread_position_in_threadgroup, x) + both_sums<4>(sum_of_s_2, thread_position_in_threadgroup, sum_of_s_2_2, x);
  if (thread_position_in_threadgroup.x == 0) y[threadgroup_position_in_grid.x] = sum;
}

[[kernel]] void rows(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  threadgroup float row_sum_rows[2][8];
  threadgroup int row_sum_rows_2[1][8];
  y[thread_position_in_threadgroup.x] = row_sum(row_sum_rows, thread_position_in_threadgroup, x[thread_position_in_threadgroup.x]) + row_sum<int, 1>(row_sum_rows_2, thread_position_in_threadgroup, thread_position_in_threadgroup.x);
}

[[kernel]] void folded(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]],
    uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]]) {
  threadgroup float fold_all_rows[2 * 8];
  threadgroup float fold_all_rows_2[(1 + 2) * 8];
  threadgroup float fold_all_rows_3[1 * 8];
  float two[2] = {x[thread_position_in_threadgroup.x], x[thread_position_in_threadgroup.x]}, one[1] = {x[thread_position_in_threadgroup.x]};
  float three[3] = {one[0], one[0], one[0]};
  fold_eight<Fold::Sum, Fold::Most>(fold_all_rows, thread_position_in_threadgroup, fold_all_rows_2, two, three);
  fold_all<float, 8, Fold::Sum>(fold_all_rows_3, thread_position_in_threadgroup, one);
  y[thread_position_in_threadgroup.x] = two[0] + two[1] + one[0] + three[0] + three[2];
}
