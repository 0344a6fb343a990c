// Local lambdas, by reference and generic, and with an array for a parameter.
__global__ void rotate(const float* x, float* y, float c, float s) {
  const int i = threadIdx.x * 2;
  auto turn = [&](float a, float b) { return c * a - s * b; };
  auto twice = [](auto v) { return v + v; };
  y[i] = turn(x[i], x[i + 1]);
  y[i + 1] = twice(turn(x[i + 1], -x[i]));
}

template <int N> __global__ void look_up(const float* table, float* y) {
  unsigned place[N];
  for (int d = 0; d < N; ++d) place[d] = threadIdx.x + d;
  auto value = [&](const unsigned at[N], int column) { return table[at[N - 1] * 2 + column]; };
  y[threadIdx.x] = value(place, 0) - value(place, 1);
}
