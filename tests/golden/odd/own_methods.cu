// Methods that hand out parts of their object, in the thread's and in constant memory; views with an operator[].
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

__global__ void local_row(float *out, const float *in, int n) {
  int i = GID;
  if (i >= n) return;
  Row r, other = {{1.0f, 2.0f, 3.0f, 4.0f}, 1};
  r.used = 0;
  for (int k = 0; k < 4; ++k) r.put(k, in[(i + k) % n]);
  r.scale(0.5f); r[2] += 1.0f; r.self()->used += 2; r += other;
  float s = 0;
  for (float *p = r.begin(); p != r.end(); ++p) s = s * 2 + *p;
  const Row &c = r;
  out[i] = r.total() + r.used + s + c[3] + c.at(0);
}

struct Table {
  float v[4];
  __device__ float get(int k) const { return v[k]; }
  __device__ const float &operator[](int k) const { return v[k]; }
};
__constant__ Table table = {{1.0f, 2.0f, 3.0f, 4.0f}};
__global__ void constant_row(float *out, int n) {
  int i = GID;
  if (i < n) out[i] = table.get(i & 3) * table[(i + 1) & 3];
}

template <typename T> struct Span {
  T *data; int size;
  __device__ Span(T *data, int size) : data(data), size(size) {}
  __device__ T &operator[](int i) const { return data[i]; }
  __device__ Span<T> from(int start, int count) const { return Span<T>(data + start, count); }
};
__global__ void spans(float *out, const float *in, int n) {
  int i = GID;
  if (i >= n) return;
  Span<float> whole(out, n), one = whole.from(i, 1);
  one[0] = in[i];
}
