#include <metal_stdlib>
using namespace metal;

// support library: cu::array, cu::pair, cu::make_pair, cu::swap, cu::exchange, cu::max_of, cu::min_of

[[kernel]] void limits(
    device float* y [[buffer(0)]]) {
  y[0] = numeric_limits<float>::max();
  y[1] = -numeric_limits<float>::infinity();
  y[2] = numeric_limits<float>::lowest();
  y[3] = numeric_limits<int>::min();
  y[4] = numeric_limits<float>::epsilon();
  y[5] = numeric_limits<uchar>::digits;
  y[6] = numeric_limits<float>::quiet_NaN();
  y[7] = numeric_limits<short>::is_signed;
}

[[kernel]] void arrays(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]]) {
  cu::array<float, 4> a;
  cu::array<int, 3> b = {1, 2, 3};
  for (ulong i = 0; i < a.size(); ++i) a[i] = x[i];
  float sum = 0;
  for (float v : a) sum += v;
  y[0] = sum;
  y[1] = b[0] + b.size();
  int plain[5] = {1, 2, 3, 4, 5};
  y[2] = (sizeof(plain) / sizeof(plain[0]));
  y[3] = *(&plain[0]) + *((&plain[0] + sizeof(plain) / sizeof(plain[0])) - 1);
  y[4] = a.front() + a.back();
}

[[kernel]] void pairs(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]]) {
  cu::pair<float, int> best = {x[0], 0};
  for (int i = 1; i < 4; ++i) {
    cu::pair<float, int> other = cu::make_pair(x[i], i);
    if (best < other) best = other;
  }
  auto made = cu::make_pair(1, 2.5f);
  y[0] = best.first;
  y[1] = best.second + made.second;
}

[[kernel]] void values(
    const device float* x [[buffer(0)]],
    device float* y [[buffer(1)]]) {
  float a = x[0], b = x[1];
  cu::swap(a, b);
  y[0] = a;
  float c = cu::exchange(a, 3.0f);
  y[1] = (c) + a;
  y[2] = clamp(a, 0.0f, 1.0f);
  y[3] = fmax(a, b) + fmin(a, b);
  y[4] = cu::max_of(a, b, c);
  y[5] = cu::min_of(1, 2, 3);
  y[6] = fabs(a) + fmax(a, b);
  y[7] = fmax(a, float(1));
}
