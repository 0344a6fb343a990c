// Several expressions in one, the first of which changes something.
#define CLAMP(v, low, high) ((v) < (low) ? (low) : (v) > (high) ? (high) : (v))
__global__ void commas(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a = x[i], b = 1.0f;
  float c = (a += 1, b *= 2, a + b);
  for (int u = 0, v = 9; (u += 2, u < v); v -= 1) c += u;
  y[i] = (a *= 3, CLAMP(a, -5.0f, 5.0f)) + c;
}
void host(const float *x, float *y, int n) { commas<<<(n + 127) / 128, 128>>>(x, y, n); }
