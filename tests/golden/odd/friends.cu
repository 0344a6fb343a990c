// Operators of a record's friends, with the specifiers in any order.
struct Complex {
  float re, im;
  __device__ friend Complex operator*(const Complex &a, const Complex &b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  __host__ __device__ inline friend Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
};

__global__ void mandelbrot(int *steps, const float2 *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
  if (i >= n) return;
  Complex z{0.0f, 0.0f}, at{c[i].x, c[i].y};
  for (; k < 50 && z.re * z.re + z.im * z.im < 4.0f; ++k) z = z * z + at;
  steps[i] = k;
}

// Friends with names, called with objects in several memories.
class Vec {
  float x, y;
 public:
  __device__ Vec(float a, float b) : x(a), y(b) {}
  friend __device__ float dot(const Vec &a, const Vec &b) { return a.x * b.x + a.y * b.y; }
  friend __device__ Vec scaled(Vec a, float s) { return Vec(a.x * s * (threadIdx.x + 1), a.y * s); }
  friend __device__ Vec operator+(Vec a, Vec b) { return Vec(a.x + b.x, a.y + b.y); }
};
__global__ void vectors(const float *x, float *y, const Vec *others, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Vec a(x[i], 1.0f), b(2.0f, x[i]);
  y[i] = dot(a, scaled(b, 3.0f)) + dot(a + b, a) + dot(others[0], b) + dot(others[1], others[2]);
}
