// A kernel's class whose template arguments hang on the host function that launches it: MLX passes them.
template <int THREADS_, int ITEMS_, bool REVERSED_, typename value_t_>
struct RowTraits {
  using value_t = value_t_;
  static constexpr int THREADS = THREADS_;
  static constexpr int ITEMS = ITEMS_;
  static constexpr bool REVERSED = REVERSED_;
  static_assert(THREADS % 8 == 0, "whole octets");
};

template <typename Traits, bool DOUBLED>
__global__ void copy_rows(const float* x, float* y, int n) {
  constexpr int ITEMS = Traits::ITEMS;
  using value_t = typename Traits::value_t;
  int first = (blockIdx.x * Traits::THREADS + threadIdx.x) * ITEMS;
  for (int k = 0; k < ITEMS; ++k) {
    int i = first + k;
    if (i < n) y[i] = float(value_t(x[Traits::REVERSED ? n - 1 - i : i])) * (DOUBLED ? 2 : 1);
  }
}

template <int THREADS, int ITEMS, typename value_t>
void launch_copy(const float* x, float* y, int n, bool doubled) {
  constexpr bool REVERSED = true;
  using Traits = RowTraits<THREADS, ITEMS, REVERSED, value_t>;
  auto kernel = doubled ? &copy_rows<Traits, true> : &copy_rows<Traits, false>;
  kernel<<<(n + THREADS * ITEMS - 1) / (THREADS * ITEMS), THREADS>>>(x, y, n);
}

void copy_all(const float* x, float* y, int n) {
  if (n < 1000) {
    launch_copy<64, 2, float>(x, y, n, false);
  } else {
    launch_copy<256, 4, int>(x, y, n, true);
  }
}
