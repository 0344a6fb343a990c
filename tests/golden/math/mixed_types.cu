// min, max and abs of mixed types, and of literals of another type.
__global__ void mixed(const int* k, const float* x, unsigned int* u, float* y, size_t n) {
  int i = threadIdx.x;
  int a = min(k[i], 7);
  unsigned int b = max(u[i], 1u);
  unsigned int c = min(k[i], u[i]);
  long long d = min((long long)n, 100LL);
  float e = fmaxf(x[i], 0) + max(x[i], 0.0f) + fminf(1, x[i]);
  int f = abs(k[i]);
  float g = std::max(x[i], y[i]) + std::min<float>(x[i], 2);
  u[i] = a + b + c + (unsigned int)d + f;
  y[i] = e + g;
}
