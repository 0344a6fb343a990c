// The names of PyTorch that device code uses, without PyTorch: its 16-bit floats are CUDA's, widened to float in
// arithmetic.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace c10 {
#define CU2MLX_NARROW(Name, Native, from_float, to_float)                                                     \
    struct alignas(2) Name {                                                                                  \
        unsigned short x;                                                                                     \
        Name() = default;                                                                                     \
        Name(float v) : x(__builtin_bit_cast(unsigned short, from_float(v))) {}                               \
        Name(const Native& v) : x(__builtin_bit_cast(unsigned short, v)) {}                                   \
        operator float() const { return to_float(__builtin_bit_cast(Native, x)); }                            \
        operator Native() const { return __builtin_bit_cast(Native, x); }                                     \
    };                                                                                                        \
    CU2MLX_OPERATOR(Name, +) CU2MLX_OPERATOR(Name, -) CU2MLX_OPERATOR(Name, *) CU2MLX_OPERATOR(Name, /)         \
    inline Name operator-(const Name& a) { return Name(-float(a)); }
#define CU2MLX_OPERATOR(Name, op)                                                                             \
    inline Name operator op(const Name& a, const Name& b) { return Name(float(a) op float(b)); }              \
    inline Name& operator op##=(Name& a, const Name& b) { return a = a op b; }                                \
    inline float operator op(Name a, float b) { return float(a) op b; }                                       \
    inline float operator op(float a, Name b) { return a op float(b); }                                       \
    inline float& operator op##=(float& a, const Name& b) { return a = a op float(b); }                       \
    inline double operator op(Name a, double b) { return double(float(a)) op b; }                             \
    inline double operator op(double a, Name b) { return a op double(float(b)); }                             \
    inline Name operator op(Name a, int b) { return a op Name(float(b)); }                                    \
    inline Name operator op(int a, Name b) { return Name(float(a)) op b; }
CU2MLX_NARROW(Half, __half, __float2half, __half2float)
CU2MLX_NARROW(BFloat16, __nv_bfloat16, __float2bfloat16, __bfloat162float)
#undef CU2MLX_NARROW
#undef CU2MLX_OPERATOR
}  // namespace c10

namespace at {
using c10::BFloat16;
using c10::Half;
class Tensor;

template <class T, bool Cuda = true>
struct AccumulateType {
    using type = T;
};
template <>
struct AccumulateType<Half, true> {
    using type = float;
};
template <>
struct AccumulateType<BFloat16, true> {
    using type = float;
};
template <class T, bool Cuda = true>
using acc_type = typename AccumulateType<T, Cuda>::type;
template <class T>
using opmath_type = typename AccumulateType<T>::type;

namespace cuda {
template <class T>
constexpr T ATenCeilDiv(T a, T b) {
    return (a + b - 1) / b;
}
#ifndef CU2MLX_NO_TENSOR_INFO  // the text has its own
namespace detail {
template <class T, class Index>
struct TensorInfo {
    T* data;
    Index sizes[25], strides[25];
    int dims;
};
template <class T, class Index, int Dims>
struct IndexToOffset {
    static Index get(Index linear, const TensorInfo<T, Index>& info) {
        Index offset = 0;
        for (int i = (Dims > 0 ? Dims : info.dims) - 1; i >= 0; --i) {
            offset += linear % info.sizes[i] * info.strides[i];
            linear /= info.sizes[i];
        }
        return offset;
    }
};
}  // namespace detail
#endif
}  // namespace cuda
}  // namespace at

namespace torch {
using at::Tensor;
using c10::BFloat16;
using c10::Half;
}  // namespace torch

inline c10::Half atomicAdd(c10::Half* at, c10::Half v) { return atomicAdd((__half*)at, (__half)v); }
inline c10::BFloat16 atomicAdd(c10::BFloat16* at, c10::BFloat16 v) {
    return atomicAdd((__nv_bfloat16*)at, (__nv_bfloat16)v);
}
template <class T>
inline T gpuAtomicAdd(T* at, T v) {
    return atomicAdd(at, v);
}
template <class T>
inline void gpuAtomicAddNoReturn(T* at, T v) {
    atomicAdd(at, v);
}

#define C10_DEVICE
#define C10_HOST
#define C10_HOST_DEVICE
#define C10_LAUNCH_BOUNDS_1(...)
#define C10_LAUNCH_BOUNDS_2(...)
#define C10_RESTRICT __restrict__
#define CUDA_KERNEL_ASSERT(...)
#define CUDA_KERNEL_LOOP_TYPE(i, n, index_type)                                   \
    for (index_type i = index_type(blockIdx.x) * blockDim.x + threadIdx.x; i < (n); \
         i += index_type(blockDim.x) * gridDim.x)
#define CUDA_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)
