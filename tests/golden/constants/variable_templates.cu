// Constants for each type, in several bases, and statements that declare what they ask.
template <typename T> inline constexpr T pi_v = T(3.14159265358979);
template <typename T> constexpr bool is_small = sizeof(T) < 4;
inline constexpr int kBits = 0b1010'1010, kOctal = 017, kBig = 1'000'000;

__global__ void constants(const int *x, float *y, int n) {
  if (const int i = blockIdx.x * blockDim.x + threadIdx.x; i < n) {
    float v = 0.0f;
    if (int low = x[i] & 3) v = low * pi_v<float>;
    switch (int rest = x[i] % 3; rest) {
      case 0: v += kOctal; break;
      case 1: [[fallthrough]];
      default: v -= kBig * 1e-6f;
    }
    y[i] = v + kBits % 7 + is_small<char>;
  }
}
void host(const int *x, float *y, int n) { constants<<<(n + 127) / 128, 128>>>(x, y, n); }
