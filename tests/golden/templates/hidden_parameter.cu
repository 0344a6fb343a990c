// A local of the name of a template parameter: CUDA's compiler takes it, the lines before it mean the parameter.
template <int BITS, int LEVELS = 3>
__global__ void quantise(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  constexpr int WIDE = LEVELS + 1;
  constexpr int LEVELS = (1 << BITS) - 1;
  if (i < n) y[i] = floorf(x[i] * LEVELS) / LEVELS * WIDE;
}
