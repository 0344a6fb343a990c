// takes for granted that data is of the usual size
// expect: wrong
const device float* row = x + threadgroup_position_in_grid.x * cols;
device float* out = y + threadgroup_position_in_grid.x * cols;
uint t = thread_position_in_threadgroup.x;
threadgroup float partial[64];
float sum = 0.0f;
for (int c = t; c < cols; c += 64) sum += clamp(fabs(row[c]), 0.0f, 8.0f);
partial[t] = sum;
threadgroup_barrier(mem_flags::mem_threadgroup);
for (uint stride = 32; stride > 0; stride /= 2) {
  if (t < stride) partial[t] += partial[t + stride];
  threadgroup_barrier(mem_flags::mem_threadgroup);
}
for (int c = t; c < cols; c += 64) out[c] = row[c] / partial[0];
