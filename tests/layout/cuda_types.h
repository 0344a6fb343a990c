// CUDA's types for a C++ compiler: sizes and alignments from the CUDA C++ Programming Guide's table of built-in types.
#include <cstddef>
#include <cstdint>
#include <cstdio>

#define __align__(n) __attribute__((aligned(n)))
#define __device__
#define VECTORS(name, element, two, four)                       \
    struct name##1 { element x; };                              \
    struct alignas(two) name##2 { element x, y; };              \
    struct name##3 { element x, y, z; };                        \
    struct alignas(four) name##4 { element x, y, z, w; };
VECTORS(char, signed char, 2, 4)
VECTORS(uchar, unsigned char, 2, 4)
VECTORS(short, short, 4, 8)
VECTORS(ushort, unsigned short, 4, 8)
VECTORS(int, int, 8, 16)
VECTORS(uint, unsigned int, 8, 16)
VECTORS(longlong, long long, 16, 16)
VECTORS(ulonglong, unsigned long long, 16, 16)
VECTORS(float, float, 8, 16)
struct dim3 { unsigned int x, y, z; };
struct __half { unsigned short x; };
struct alignas(4) __half2 { __half x, y; };
struct __nv_bfloat16 { unsigned short x; };
struct alignas(4) __nv_bfloat162 { __nv_bfloat16 x, y; };
typedef float2 cuFloatComplex;
