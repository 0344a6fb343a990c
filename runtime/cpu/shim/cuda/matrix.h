// The warp's matrix product, for wmma (mma.h) and PTX mma: the exact sum of products in double, rounded once. The
// hardware keeps fewer bits on the way (how many is not documented), so results may differ in the last place.
#pragma once
#include "warp.h"

namespace cudashim {

struct tf32_tag {};  // float storage; the hardware reads 10 bits of mantissa

// d[m][n] = sum over k of a[m][k] * b[k][n] + c[m][n], by whoever calls.
template <int M, int N, int K, class Sum, class A, class B, class C, class D>
inline void multiply_matrices(A a, B b, C c, D d) {
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) {
      Sum total = c(m, n);
      for (int k = 0; k < K; ++k) total += Sum(a(m, k)) * Sum(b(k, n));
      d(m, n, total);
    }
  }
}

inline float to_tf32(float v) {
  uint32_t bits = bit_cast<uint32_t>(v);
  if ((bits & 0x7f800000u) == 0x7f800000u) return v;
  return bit_cast<float>((bits + 0x1000u) & 0xffffe000u);  // to nearest, ties away
}

}  // namespace cudashim
