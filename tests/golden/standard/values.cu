// Values and containers of std:: and cuda::std::.
#include <cuda/std/array>
#include <cuda/std/limits>
#include <cuda/std/utility>
#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

__global__ void limits(float* y) {
  y[0] = std::numeric_limits<float>::max();
  y[1] = -std::numeric_limits<float>::infinity();
  y[2] = cuda::std::numeric_limits<float>::lowest();
  y[3] = std::numeric_limits<int>::min();
  y[4] = std::numeric_limits<float>::epsilon();
  y[5] = std::numeric_limits<unsigned char>::digits;
  y[6] = std::numeric_limits<float>::quiet_NaN();
  y[7] = std::numeric_limits<short>::is_signed;
}
void host_limits(float* y) { limits<<<1, 1>>>(y); }

__global__ void arrays(const float* x, float* y) {
  std::array<float, 4> a;
  cuda::std::array<int, 3> b = {1, 2, 3};
  for (size_t i = 0; i < a.size(); ++i) a[i] = x[i];
  float sum = 0;
  for (float v : a) sum += v;
  y[0] = sum;
  y[1] = b[0] + b.size();
  int plain[5] = {1, 2, 3, 4, 5};
  y[2] = std::size(plain);
  y[3] = *std::begin(plain) + *(std::end(plain) - 1);
  y[4] = a.front() + a.back();
}
void host_arrays(const float* x, float* y) { arrays<<<1, 1>>>(x, y); }

__global__ void pairs(const float* x, float* y) {
  std::pair<float, int> best = {x[0], 0};
  for (int i = 1; i < 4; ++i) {
    std::pair<float, int> other = std::make_pair(x[i], i);
    if (best < other) best = other;
  }
  auto made = cuda::std::make_pair(1, 2.5f);
  y[0] = best.first;
  y[1] = best.second + made.second;
}
void host_pairs(const float* x, float* y) { pairs<<<1, 1>>>(x, y); }

__global__ void values(const float* x, float* y) {
  float a = x[0], b = x[1];
  std::swap(a, b);
  y[0] = a;
  float c = std::exchange(a, 3.0f);
  y[1] = std::move(c) + a;
  y[2] = std::clamp(a, 0.0f, 1.0f);
  y[3] = std::max(a, b) + cuda::std::min(a, b);
  y[4] = std::max({a, b, c});
  y[5] = std::min({1, 2, 3});
  y[6] = std::abs(a) + std::fmax(a, b);
  y[7] = std::max<float>(a, 1);
}
void host_values(const float* x, float* y) { values<<<1, 1>>>(x, y); }
