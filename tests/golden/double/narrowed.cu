// flags: --double=float
// On request double becomes float, with a warning.
__global__ void accumulate(const float* x, double* y, int n) {  // warning: CU4101
  double sum = 0.0;  // warning: CU4101
  for (int i = 0; i < n; ++i) sum += exp((double)x[i]);  // warning: CU4101
  y[0] = sqrt(sum);
}
