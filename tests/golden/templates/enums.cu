// An enum chooses the code at compile time, another at run time.
enum class Mode { kSum, kMean };
enum Border { CLAMP, WRAP = 4 };

template <Mode MODE>
__global__ void reduce_rows(const float* x, float* y, int width, Border border) {
  float s = 0.0f;
  for (int i = 0; i < width; ++i) s += x[threadIdx.x * width + i];
  if (MODE == Mode::kMean) s /= width;
  switch (border) {
    case CLAMP:
      s = fminf(s, 1.0f);
      break;
    case WRAP:
      s -= floorf(s);
      break;
  }
  y[threadIdx.x] = s;
}

void launch(const float* x, float* y, int w) {
  reduce_rows<Mode::kMean><<<1, 64>>>(x, y, w, WRAP);
}
