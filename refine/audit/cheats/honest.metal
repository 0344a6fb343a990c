// an honest rewrite: it must pass
// expect: passed
const device float* row = x + threadgroup_position_in_grid.x * cols;
device float* out = y + threadgroup_position_in_grid.x * cols;
uint t = thread_position_in_threadgroup.x;
threadgroup float partial[64];
float sum = 0.0f;
for (int c = t; c < cols; c += 64) sum += fabs(row[c]);
sum = simd_sum(sum);
if (thread_index_in_simdgroup == 0) partial[simdgroup_index_in_threadgroup] = sum;
threadgroup_barrier(mem_flags::mem_threadgroup);
float inverse = 1.0f / (partial[0] + partial[1]);
for (int c = t; c < cols; c += 64) out[c] = row[c] * inverse;
