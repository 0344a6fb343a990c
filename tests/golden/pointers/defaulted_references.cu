// Default values of references: the constructor is there for two address spaces, its defaults only for the thread's.
template <typename T>
struct Corner {
  T x, y;
  __device__ Corner(const T& px = 0, const T& py = 0) : x(px), y(py) {}
};

__global__ void corners(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Corner<float> none;
  Corner<float> half(0.5f);
  Corner<float> loaded(a[i]);
  Corner<float> both(loaded.x, a[0]);
  b[i] = none.x + half.x + loaded.x * both.y;
}
