// Vectors and records as kernel arguments.
struct Affine {
  float scale;
  float offset;
};

__global__ void apply(const float* x, float* y, Affine f, float2 clamp_to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fminf(fmaxf(x[i] * f.scale + f.offset, clamp_to.x), clamp_to.y);
}
