// What a file instantiates says which types and classes a kernel is for.
#include <cuda_fp16.h>
template <typename T> struct Wide;
template <> struct Wide<__half> { using type = float; static __device__ float up(__half x) { return __half2float(x); } static __device__ __half down(float x) { return __float2half(x); } };

template <typename T>
__global__ void scale(const T* x, T* y, float s, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = Wide<T>::down(Wide<T>::up(x[i]) * s);
}
template __global__ void scale<__half>(const __half*, __half*, float, int);
struct Add { __device__ float operator()(float a, float b) const { return a + b; } };
template <typename T, typename Op, int N>
__global__ void fold(const T* x, T* y, int n, Op op)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0.0f;
    for (int k = 0; k < N; ++k) s = op(s, (float)x[i * N + k]);
    y[i] = (T)s;
}
template __global__ void fold<float, Add, 4>(const float*, float*, int, Add);
template __global__ void fold<__half, Add, 8>(const __half*, __half*, int, Add);
