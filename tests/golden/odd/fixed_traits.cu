// flags: --instantiate chosen<Doubled<float,3>>
// The class is fixed in the text; what `if constexpr` leaves out does not fit it.
#include <type_traits>

struct Wide {
  float low, high;
};

template <typename T, int N>
struct Doubled {
  using value_t = T;
  static constexpr int count = N;
  static constexpr bool wide = std::is_same_v<T, Wide>;
};

template <typename Traits>
__global__ void chosen(const float* x, float* y, int n) {
  using value_t = typename Traits::value_t;
  extern __shared__ float kept[];
  int t = threadIdx.x;
  kept[t] = t < n ? x[t] : 0.0f;
  __syncthreads();
  value_t value;
  if constexpr (Traits::wide) {
    value.low = kept[t];
    value.high = kept[t] * Traits::count;
    y[t] = value.low + value.high;
  } else {
    value = kept[(t + 1) % n];
    y[t] = value * Traits::count;
  }
}
