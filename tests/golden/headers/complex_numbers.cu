#include <c10/util/complex.h>

using complex_t = c10::complex<float>;

__device__ complex_t turned(complex_t z, float angle) {
  return complex_t(cosf(angle), sinf(angle)) * z;
}

__global__ void rotate(const complex_t* z, const float* angles, complex_t shift, complex_t* out, float* parts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  complex_t moved = turned(z[i], angles[i]) + 2.0f * shift - complex_t(1.0f);
  out[i] = moved;
  parts[i] = moved.real() + moved.imag_;
}
