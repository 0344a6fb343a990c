// PTX ldmatrix and mma.sync (m16n8kK): the element mapping is the one the PTX manual draws.
#pragma once
#include "matrix.h"

namespace cudashim::ptx {

// Lane 8 j + r names row r of the 8 x 8 matrix j; register j gets two neighbours of row lane / 4, or of column.
template <int Count>
inline void load_matrix(Register* const (&targets)[Count], const char* row, bool transposed) {
  struct Lane {
    const char* row;
    uint32_t values[Count];
    bool transposed;
  } mine{row, {}, transposed};
  engine::collective(&mine, [](void* const* lanes, uint32_t active) {
    auto at = [lanes](int matrix, int r, int c) -> uint32_t {
      return reinterpret_cast<const uint16_t*>(static_cast<Lane*>(lanes[8 * matrix + r])->row)[c];
    };
    for_each_lane<Lane>(lanes, active, [&](int i, Lane& lane) {
      for (int j = 0; j < Count; ++j) {
        int first = i / 4, second = 2 * (i % 4);
        lane.values[j] = lane.transposed ? at(j, second, first) | at(j, second + 1, first) << 16
                                         : at(j, first, second) | at(j, first, second + 1) << 16;
      }
    });
  }, 0xffffffffu);
  for (int j = 0; j < Count; ++j) *targets[j] = Register{mine.values[j]};
}

// Element e of a register's packed elements of type T.
template <class T> inline T packed(Register value, int e) { return Register{value.bits >> (e * int(sizeof(T)) * 8)}.as<T>(); }

// D and C: two neighbours of row lane / 4 (and of that row + 8).
template <int M, int N, int K, class D, class A, class B, int ND, int NA, int NB, int NC>
inline void multiply(Register* const (&d)[ND], const Register (&a)[NA], const Register (&b)[NB], const Register (&c)[NC]) {
  static_assert(M == 16 && N == 8, "mma: the CPU machine has the shapes m16n8");
  constexpr int in_a = 4 / int(sizeof(A)), in_b = 4 / int(sizeof(B)), in_d = sizeof(D) == 2 ? 2 : 1;
  static_assert(NA == 16 * K / in_a / 32 && NB == 8 * K / in_b / 32, "mma: the number of registers");
  using Sum = std::conditional_t<std::is_integral_v<D>, int, double>;
  struct Lane {
    Register a[NA], b[NB], c[NC];
    Register d[ND];
  } mine;
  for (int i = 0; i < NA; ++i) mine.a[i] = a[i];
  for (int i = 0; i < NB; ++i) mine.b[i] = b[i];
  for (int i = 0; i < NC; ++i) mine.c[i] = c[i];
  engine::collective(&mine, [](void* const* lanes, uint32_t) {
    auto lane = [lanes](int group, int in_group) -> Lane& { return *static_cast<Lane*>(lanes[4 * group + in_group]); };
    multiply_matrices<M, N, K, Sum>(
        [&](int m, int k) {
          int i = m / 8 + 2 * (k / (4 * in_a)), inside = k % (4 * in_a);
          return Sum(float(packed<A>(lane(m % 8, inside / in_a).a[i], inside % in_a)));
        },
        [&](int k, int n) {
          int i = k / (4 * in_b), inside = k % (4 * in_b);
          return Sum(float(packed<B>(lane(n, inside / in_b).b[i], inside % in_b)));
        },
        [&](int m, int n) {
          int i = 2 * (m / 8) + n % 2;
          return Sum(packed<D>(lane(m % 8, n / 2).c[i / in_d], i % in_d));
        },
        [&](int m, int n, Sum total) {
          int i = 2 * (m / 8) + n % 2, bits = 32 / in_d * (i % in_d);
          lane(m % 8, n / 2).d[i / in_d].bits |= Register::of(D(total)).bits << bits;
        });
  }, 0xffffffffu);
  for (int i = 0; i < ND; ++i) *d[i] = mine.d[i];
}

}  // namespace cudashim::ptx
