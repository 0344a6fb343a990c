// The scalar types that PyTorch's kernels name, without PyTorch: c10::Half, c10::BFloat16 (not c10::complex).
// As in PyTorch, arithmetic widens to float and rounds back once.
#pragma once
#include "bfloat16.h"
#include "half.h"
#include <cstdint>
#include <limits>

namespace c10 {

#define NARROW_TYPE(NAME, FORMAT, NATIVE)                                                              \
  struct alignas(2) NAME {                                                                             \
    unsigned short x;                                                                                  \
    struct from_bits_t {};                                                                             \
    static constexpr from_bits_t from_bits() { return from_bits_t(); }                                 \
    NAME() = default;                                                                                  \
    constexpr NAME(unsigned short bits, from_bits_t) : x(bits) {}                                      \
    NAME(float v) : x(::cudashim::FORMAT::encode(v)) {}                                                \
    NAME(const NATIVE& v) : x(v.bits()) {}                                                             \
    operator float() const { return ::cudashim::FORMAT::decode(x); }                                   \
    operator NATIVE() const { return NATIVE::from_bits(x); }                                           \
  };                                                                                                   \
  ARITHMETIC(NAME, +) ARITHMETIC(NAME, -) ARITHMETIC(NAME, *) ARITHMETIC(NAME, /)                      \
  inline NAME operator-(const NAME& a) { return NAME((unsigned short)(a.x ^ 0x8000), NAME::from_bits()); }
#define ARITHMETIC(NAME, OP)                                                                           \
  inline NAME operator OP(const NAME& a, const NAME& b) { return NAME(float(a) OP float(b)); }         \
  inline NAME& operator OP##=(NAME& a, const NAME& b) { return a = a OP b; }                           \
  inline float operator OP(NAME a, float b) { return float(a) OP b; }                                  \
  inline float operator OP(float a, NAME b) { return a OP float(b); }                                  \
  inline float& operator OP##=(float& a, const NAME& b) { return a = a OP float(b); }                  \
  inline double operator OP(NAME a, double b) { return double(float(a)) OP b; }                        \
  inline double operator OP(double a, NAME b) { return a OP double(float(b)); }                        \
  inline NAME operator OP(NAME a, int b) { return a OP NAME(float(b)); }                               \
  inline NAME operator OP(int a, NAME b) { return NAME(float(a)) OP b; }                               \
  inline NAME operator OP(NAME a, int64_t b) { return a OP NAME(float(b)); }                           \
  inline NAME operator OP(int64_t a, NAME b) { return NAME(float(a)) OP b; }
NARROW_TYPE(Half, Binary16, __half)
NARROW_TYPE(BFloat16, Bfloat16, __nv_bfloat16)
#undef NARROW_TYPE
#undef ARITHMETIC

}  // namespace c10

namespace at {
using c10::BFloat16;
using c10::Half;
class Tensor;  // only in declarations

// The type in which sums are kept.
template <class T, bool Cuda = true> struct AccumulateType { using type = T; };
template <> struct AccumulateType<Half, true> { using type = float; };
template <> struct AccumulateType<BFloat16, true> { using type = float; };
template <class T, bool Cuda = true> using acc_type = typename AccumulateType<T, Cuda>::type;
template <class T> struct OpMathType { using type = typename AccumulateType<T>::type; };
template <class T> using opmath_type = typename OpMathType<T>::type;
}  // namespace at

namespace torch {
using at::Tensor;
using c10::BFloat16;
using c10::Half;
}  // namespace torch

// ATen/cuda/Atomic.cuh
static inline c10::Half atomicAdd(c10::Half* address, c10::Half v) {
  return ::cudashim::atomic_update(address, [v](c10::Half old) { return old + v; });
}
static inline c10::BFloat16 atomicAdd(c10::BFloat16* address, c10::BFloat16 v) {
  return ::cudashim::atomic_update(address, [v](c10::BFloat16 old) { return old + v; });
}
template <class T> inline T gpuAtomicAdd(T* address, T v) {
  return ::cudashim::atomic_update(address, [v](T old) { return T(old + v); });
}
template <class T> inline void gpuAtomicAddNoReturn(T* address, T v) { gpuAtomicAdd(address, v); }

template <> struct std::numeric_limits<c10::Half> : std::numeric_limits<__half> {};
template <> struct std::numeric_limits<c10::BFloat16> : std::numeric_limits<__nv_bfloat16> {};

namespace at::cuda {
template <class T> constexpr T ATenCeilDiv(T a, T b) { return (a + b - 1) / b; }
}  // namespace at::cuda

// What PyTorch's kernels use for indices and device code.
#define C10_DEVICE
#define C10_HOST
#define C10_HOST_DEVICE
#define C10_LAUNCH_BOUNDS_1(...)
#define C10_LAUNCH_BOUNDS_2(...)
#define C10_RESTRICT __restrict__
#define CUDA_KERNEL_ASSERT(...) assert(__VA_ARGS__)
#define CUDA_KERNEL_LOOP_TYPE(i, n, index_type)                                     \
  for (index_type i = index_type(blockIdx.x) * blockDim.x + threadIdx.x; i < (n);   \
       i += index_type(blockDim.x) * gridDim.x)
#define CUDA_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)
