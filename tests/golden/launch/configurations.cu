// Launches as people write them: dim3, ceil-division helpers, nested >>>, a whole launch inside a macro, a stream.
inline int ceil_div(int a, int b) { return (a + b - 1) / b; }
#define LAUNCH(kernel, n, ...) kernel<<<ceil_div(n, 128), 128, 0, stream>>>(__VA_ARGS__)

template <typename T>
struct Box {
  T value;
};

template <typename T>
__global__ void fill(float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = sizeof(T);
}

__global__ void image(const float* x, float* y, int w, int h) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c < w && r < h) y[r * w + c] = x[r * w + c] + 1.0f;
}

__global__ void one(float* y) {
  *y = 1.0f;
}

void launch(const float* x, float* y, int w, int h, cudaStream_t stream) {
  dim3 block(32, 8);
  dim3 grid(ceil_div(w, block.x), ceil_div(h, block.y));
  image<<<grid, block>>>(x, y, w, h);
  fill<Box<Box<int>>><<<w >> 3, 8>>>(y, w);
  LAUNCH(fill<float>, w, y, w);
  one<<<1, 1>>>(y);
}
