// CUDA's built-in vector types: plain aggregates with CUDA's sizes and alignments, no operators.
#pragma once

// N components of T; the 3-vectors have the alignment of T, as CUDA's do.
#define CUDASHIM_VECTORS(NAME, T, ALIGN2, ALIGN4)                                             \
  struct NAME##1 { T x; };                                                                    \
  struct alignas(ALIGN2) NAME##2 { T x, y; };                                                 \
  struct NAME##3 { T x, y, z; };                                                              \
  struct alignas(ALIGN4) NAME##4 { T x, y, z, w; };                                           \
  static inline constexpr NAME##1 make_##NAME##1(T x) { return NAME##1{x}; }                  \
  static inline constexpr NAME##2 make_##NAME##2(T x, T y) { return NAME##2{x, y}; }          \
  static inline constexpr NAME##3 make_##NAME##3(T x, T y, T z) { return NAME##3{x, y, z}; }  \
  static inline constexpr NAME##4 make_##NAME##4(T x, T y, T z, T w) { return NAME##4{x, y, z, w}; }

CUDASHIM_VECTORS(char, signed char, 2, 4)
CUDASHIM_VECTORS(uchar, unsigned char, 2, 4)
CUDASHIM_VECTORS(short, short, 4, 8)
CUDASHIM_VECTORS(ushort, unsigned short, 4, 8)
CUDASHIM_VECTORS(int, int, 8, 16)
CUDASHIM_VECTORS(uint, unsigned int, 8, 16)
CUDASHIM_VECTORS(long, long, 16, 16)
CUDASHIM_VECTORS(ulong, unsigned long, 16, 16)
CUDASHIM_VECTORS(longlong, long long, 16, 16)
CUDASHIM_VECTORS(ulonglong, unsigned long long, 16, 16)
CUDASHIM_VECTORS(float, float, 8, 16)
CUDASHIM_VECTORS(double, double, 16, 16)
#undef CUDASHIM_VECTORS

struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};
