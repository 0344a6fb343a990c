// CUDA's qualifiers and predefined macros, as the host compiler is to see them.
// `__shared__` and `asm` are no macros: cuda_source.py rewrites them.
#pragma once

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __nv_pure__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __block_size__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __forceinline__ __inline__
#define __noinline__  // empty, since libstdc++ spells __attribute__((__noinline__))

// What a translation of the device path sees; -D overrides.
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 800
#endif
#ifndef CUDA_VERSION
#define CUDA_VERSION 12040
#endif
#define CUDART_VERSION CUDA_VERSION
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ (CUDA_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDA_VERSION % 1000 / 10)
#define __CUDACC_VER_BUILD__ 0
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
