// The same for objects in a buffer.
#define GID (blockIdx.x * blockDim.x + threadIdx.x)

__device__ float sum_of(const float *p) { return p[0] + p[1] + p[2] + p[3]; }

struct Row {
  float v[4];
  int used;
  __device__ const float &at(int k) const { return v[k]; }
  __device__ float total() const { return sum_of(v); }
  __device__ float operator[](int k) const { return v[k]; }
};

__global__ void rows_of_a_buffer(float *out, const Row *rows, int n) {
  int i = GID;
  if (i < n) out[i] = rows[i].total() + rows[i][1] + rows[i].at(2);
}

