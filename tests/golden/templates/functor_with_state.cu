// A functor that has values of its own: its bytes are an array to MLX, as those of a record are.
struct Line {
  const float slope;
  int height;
  Line(float slope_, int height_) : slope(slope_), height(height_) {}
  __host__ __device__ float operator()(const float& x, float y) const { return slope * x + height * y; }
};

template <typename Op> __global__ void apply(const float* x, const float* y, float* z, int n, Op op) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = op(x[i], y[i]);
}

void run(const float* x, const float* y, float* z, int n) {
  apply<<<(n + 255) / 256, 256>>>(x, y, z, n, Line(2.0f, 3));
}
