// flags: --gradient table.toml
// A backward kernel that turns the cotangent into the gradient in place, under names that say little.
__global__ void gelu_kernel(const float* input, const float* mask, const int* order, float* vals, int row_stride) {
  for (int c = threadIdx.x; c < row_stride; c += blockDim.x) {
    const int i = blockIdx.x * row_stride + c;
    vals[i] = mask[c] * input[i] / (1.0f + expf(-1.702f * input[order[i]]));
  }
}

__global__ void d_gelu_func(float* d_output, const float* gelu_input, const float* mask, const int* order,
                            int row_stride, float seed) {
  for (int c = threadIdx.x; c < row_stride; c += blockDim.x) {
    const int i = blockIdx.x * row_stride + c;
    const float s = 1.0f / (1.0f + expf(-1.702f * gelu_input[order[i]]));
    d_output[i] *= seed * mask[c] * s * (1.0f + 1.702f * gelu_input[i] * (1.0f - s));
  }
}
