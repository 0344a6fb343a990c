// Doubles' literals, which are floats in Metal: where more than the last place of a float may hang on them.
__global__ void truncated(const int* n, const float* x, int* y, unsigned char* c) {
  int i = threadIdx.x;
  int part = n[i] * 0.29;                        // warning: CU4110
  y[i] = (int)(n[i] * (1.0 + 0.7)) + part;       // warning: CU4110
  y[i] += static_cast<int>(x[i] / 0.1);          // warning: CU4110
  c[i] = x[i] * 2.55 + 0.5;                      // warning: CU4110
  if (x[i] == 0.1) y[i] = 0;                     // warning: CU4110
}

__global__ void not_truncated(const int* n, const float* x, float* y, int* z) {
  int i = threadIdx.x;
  y[i] = x[i] * 0.1 + 1.5;
  if (x[i] < 0.1 && x[i] != 0.5) y[i] = 0.3;
  z[i] = (int)(n[i] * 0.5) + (int)(n[i] * 0.29f) + int(floorf(x[i] * 0.1));
  int half = n[i] / 2.0;
  z[i] += half;
}
