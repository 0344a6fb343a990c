// Conversion operators that call the file's functions, which nothing else calls.
__device__ float widened(unsigned short bits) { return __uint_as_float((unsigned int)bits << 16); }

struct Brief {
  unsigned short bits;
  __device__ operator float() const { return widened(bits); }
};

template <typename T> struct Fraction {
  T above, below;
  __device__ static T safe(T x) { return x == T(0) ? T(1) : x; }
  __device__ explicit operator T() const { return above / safe(below); }
};

__global__ void widen(const Brief* x, const float* below, float* y) {
  Fraction<float> fraction = {2.0f, below[threadIdx.x]};
  y[threadIdx.x] = x[threadIdx.x] + static_cast<float>(fraction);
}
