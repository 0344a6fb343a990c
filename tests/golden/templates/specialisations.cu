// A template function and a traits class, each with specialisations.
template <typename T>
__device__ float widen(T v);
template <>
__device__ float widen<float>(float v) { return v; }
template <>
__device__ float widen<int>(int v) { return (float)v / 2147483647.0f; }

template <int BITS>
struct Packing {
  static constexpr int kPerWord = 32 / BITS;
  static constexpr unsigned kMask = (1u << BITS) - 1;
};
template <>
struct Packing<32> {
  static constexpr int kPerWord = 1;
  static constexpr unsigned kMask = 0xffffffffu;
};

template <typename T>
__global__ void to_float(const T* x, float* y) {
  y[threadIdx.x] = widen(x[threadIdx.x]);
}

template <int BITS>
__global__ void unpack(const unsigned* packed, int* out) {
  unsigned word = packed[blockIdx.x];
  int j = threadIdx.x % Packing<BITS>::kPerWord;
  out[blockIdx.x * Packing<BITS>::kPerWord + j] = (word >> (j * BITS)) & Packing<BITS>::kMask;
}

void launch(const float* x, const unsigned* p, float* y, int* out) {
  to_float<<<1, 32>>>(x, y);
  unpack<4><<<32, 8>>>(p, out);
}
