// Views of buffers that are read and written: both arrays of one kind of view are.
struct View {
  float* data;
  const int width;
  __device__ View(float* data, int width) : data(data), width(width) {}
  __device__ float* at(int row, int column) { return data + row * width + column; }
  __device__ float& ref(int row, int column) { return data[row * width + column]; }
  __device__ void set(int row, int column, float v) { data[row * width + column] = v; }
};

__global__ void assigned(float* out, int width) {
  View v = View(out, width);
  View w{out, width};
  w.set(blockIdx.x, threadIdx.x, 1.0f);
  v.at(blockIdx.x, threadIdx.x)[0] += 1.0f;
}
__global__ void both(float* a, float* b, int width) {
  View v(a, width), w(b, width);
  *v.at(0, threadIdx.x) = 1.0f;
  w.set(0, threadIdx.x, *w.at(1, threadIdx.x));
}
__global__ void counted(float* out, int width) {
  View v(out, width);
  v.ref(blockIdx.x, threadIdx.x) += 2.0f;
}
