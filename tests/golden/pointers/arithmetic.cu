// Local pointers walk over buffers, take offsets and differences, and are compared.
__global__ void walk(const float* __restrict__ x, float* __restrict__ y, int width, int n) {
  const float* row = x + (blockIdx.x * blockDim.x + threadIdx.x) * (size_t)width;
  const float *p = row, *end = row + width;
  float sum = 0.0f;
  while (p < end) sum += *p++;
  float* out = &y[blockIdx.x * blockDim.x];
  out += threadIdx.x;
  *out = sum / (float)(end - row);
  const float* last = end - 1;
  out[n] = last[-1] + *last;
}
