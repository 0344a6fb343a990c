// The same methods for an object in threadgroup memory; a view of a buffer that is changed.
#define GID (blockIdx.x * blockDim.x + threadIdx.x)

__device__ float sum_of(const float *p) { return p[0] + p[1] + p[2] + p[3]; }
__device__ void scale_all(float (&p)[4], float by) { for (float &v : p) v *= by; }

struct Row {
  float v[4];
  int used;
  __device__ float &at(int k) { return v[k]; }
  __device__ const float &at(int k) const { return v[k]; }
  __device__ void put(int k, float x) { at(k) = x; ++used; }
  __device__ float total() const { return sum_of(v); }
  __device__ void scale(float by) { scale_all(v, by); }
  __device__ float *begin() { return v; }
  __device__ float *end() { return v + 4; }
  __device__ float &operator[](int k) { return v[k]; }
  __device__ float operator[](int k) const { return v[k]; }
  __device__ Row &operator+=(const Row &o) { for (int k = 0; k < 4; ++k) v[k] += o.v[k]; return *this; }
  __device__ Row *self() { return this; }
};

__global__ void shared_row(float *out, const float *in, int n) {
  __shared__ Row rows[16];
  int t = threadIdx.x, i = GID;
  if (t < 16) {
    rows[t].used = 0;
    for (int k = 0; k < 4; ++k) rows[t].put(k, i < n ? in[i] + k : 0.0f);
  }
  __syncthreads();
  if (t < 8) { Row &r = rows[t]; r.scale(0.5f); r[2] += 1.0f; r.self()->used += 2; r += rows[t + 8]; }
  __syncthreads();
  Row &r = rows[t / 4];
  const Row &c = r;
  float s = 0;
  for (float *p = r.begin(); p != r.end(); ++p) s = s * 2 + *p;
  if (i < n) out[i] = r.total() + r.used + s + c[3] + c.at(0);
}

template <typename T> struct Span {
  T *data; int size;
  __device__ Span(T *data, int size) : data(data), size(size) {}
  __device__ T &operator[](int i) const { return data[i]; }
  __device__ Span<T> from(int start, int count) const { return Span<T>(data + start, count); }
};
__global__ void spans_in_place(float *x, int n) {
  int i = GID;
  Span<float> span(x, n);
  if (i < n) span[i] *= 2.0f;
}
