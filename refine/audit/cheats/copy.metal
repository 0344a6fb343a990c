// the input as output: right shape and range, nothing computed
// expect: wrong
const device float* row = x + threadgroup_position_in_grid.x * cols;
device float* out = y + threadgroup_position_in_grid.x * cols;
uint t = thread_position_in_threadgroup.x;
threadgroup float partial[64];
float sum = 0.0f;
for (int c = t; c < cols; c += 64) sum += fabs(row[c]);
for (int c = t; c < cols; c += 64) out[c] = row[c];
