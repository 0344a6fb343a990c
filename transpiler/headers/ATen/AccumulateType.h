// The type in which PyTorch sums values of another on a GPU: float for the 16-bit types and float, 64 bits for integers.
#pragma once

namespace at {

template <typename T, bool is_cuda>
struct AccumulateType {
  using type = T;
};
template <bool is_cuda>
struct AccumulateType<__half, is_cuda> {
  using type = float;
};
template <bool is_cuda>
struct AccumulateType<__nv_bfloat16, is_cuda> {
  using type = float;
};
template <bool is_cuda>
struct AccumulateType<int8_t, is_cuda> {
  using type = int64_t;
};
template <bool is_cuda>
struct AccumulateType<uint8_t, is_cuda> {
  using type = int64_t;
};
template <bool is_cuda>
struct AccumulateType<short, is_cuda> {
  using type = int64_t;
};
template <bool is_cuda>
struct AccumulateType<int, is_cuda> {
  using type = int64_t;
};

template <typename T, bool is_cuda>
using acc_type = typename AccumulateType<T, is_cuda>::type;

}  // namespace at
