// PyTorch's atomics on CUDA are CUDA's own, under other names.
#pragma once

template <typename T>
static inline __device__ T gpuAtomicAdd(T* address, T value) {
  return atomicAdd(address, value);
}

template <typename T>
static inline __device__ void gpuAtomicAddNoReturn(T* address, T value) {
  atomicAdd(address, value);
}
