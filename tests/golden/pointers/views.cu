// Views: records that hold a pointer, made from parameters, whose methods write or return where to.
struct View {
  float* data;
  const int width;
  __device__ View(float* data, int width) : data(data), width(width) {}
  __device__ float* at(int row, int column) { return data + row * width + column; }
  __device__ float& ref(int row, int column) { return data[row * width + column]; }
  __device__ void set(int row, int column, float v) { data[row * width + column] = v; }
};
struct Read {
  const float* data;
  int width;
  __device__ float item(int row, int column) const { return data[row * width + column]; }
};
struct Late {
  float* data;
  __device__ Late() { data = nullptr; }
  __device__ void open(float* from, int row, int width) { data = from + row * width; }
  __device__ void put(int column, float v) { this->data[column] = v; }
};

__global__ void by_pointer(float* out, const float* in, int width) {
  View v(out, width);
  Read r = {in, width};
  float* p = v.at(blockIdx.x, threadIdx.x);
  *p = r.item(blockIdx.x, threadIdx.x);
}
__global__ void by_direct(float* out, int width) {
  View v(out, width);
  *v.at(blockIdx.x, threadIdx.x) = 1.0f;
}
__global__ void by_reference(float* out, int width) {
  View v(out, width);
  v.ref(blockIdx.x, threadIdx.x) = 2.0f;
}
__global__ void opened(float* out, int width) {
  Late v;
  v.open(out, blockIdx.x, width);
  v.put(threadIdx.x, 3.0f);
}
__device__ void fill(View v, float x) { v.set(blockIdx.x, threadIdx.x, x); }
__global__ void passed(float* out, int width) { fill(View(out, width), 4.0f); }
