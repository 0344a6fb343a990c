// sums in half precision
// expect: wrong
const device float* row = x + threadgroup_position_in_grid.x * cols;
device float* out = y + threadgroup_position_in_grid.x * cols;
uint t = thread_position_in_threadgroup.x;
threadgroup half partial[64];
half sum = 0.0h;
for (int c = t; c < cols; c += 64) sum += half(fabs(row[c]));
partial[t] = sum;
threadgroup_barrier(mem_flags::mem_threadgroup);
for (uint stride = 32; stride > 0; stride /= 2) {
  if (t < stride) partial[t] += partial[t + stride];
  threadgroup_barrier(mem_flags::mem_threadgroup);
}
for (int c = t; c < cols; c += 64) out[c] = row[c] / float(partial[0]);
