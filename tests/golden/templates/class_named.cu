// flags: --instantiate map<Square>
// The class is named on the command line.
struct Square {
  __device__ float operator()(float x) const { return x * x; }
};

template <typename Op>
__global__ void map(const float* x, float* y) {
  Op op;
  y[threadIdx.x] = op(x[threadIdx.x]);
}
