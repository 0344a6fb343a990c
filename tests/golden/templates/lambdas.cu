// Local lambdas, by reference and generic.
__global__ void rotate(const float* x, float* y, float c, float s) {
  const int i = threadIdx.x * 2;
  auto turn = [&](float a, float b) { return c * a - s * b; };
  auto twice = [](auto v) { return v + v; };
  y[i] = turn(x[i], x[i + 1]);
  y[i + 1] = twice(turn(x[i + 1], -x[i]));
}
