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
