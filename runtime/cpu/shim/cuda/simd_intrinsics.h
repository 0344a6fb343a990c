// CUDA's SIMD-in-a-word intrinsics: __vadd2, __vabsdiffu4, __vcmpgts4, __vsetltu2 … on two 16-bit or four 8-bit lanes.
#pragma once
#include "integer_intrinsics.h"

namespace cudashim {

// f applied to the lanes of type T of a, b, c as ints; results wrap into the lanes.
template <class T, class F>
inline unsigned int map_lanes(F f, unsigned int a, unsigned int b = 0, unsigned int c = 0) {
  constexpr int bits = int(sizeof(T)) * 8;
  constexpr unsigned int mask = (1u << bits) - 1;
  unsigned int result = 0;
  for (int i = 0; i * bits < 32; ++i) {
    int value = f(int(lane_of<T>(a, i)), int(lane_of<T>(b, i)), int(lane_of<T>(c, i)));
    result |= ((unsigned int)value & mask) << (i * bits);
  }
  return result;
}

template <class T> inline int clamp_lane(int v) {
  constexpr int low = T(-1) < T(0) ? -(1 << (sizeof(T) * 8 - 1)) : 0;
  constexpr int high = T(-1) < T(0) ? (1 << (sizeof(T) * 8 - 1)) - 1 : (1 << (sizeof(T) * 8)) - 1;
  return v < low ? low : v > high ? high : v;
}

}  // namespace cudashim

#define LANES_1(NAME, T, EXPRESSION)                                                                    \
  static inline unsigned int NAME(unsigned int a) {                                                     \
    return ::cudashim::map_lanes<T>([](int x, int, int) { return int(EXPRESSION); }, a);                \
  }
#define LANES_2(NAME, T, EXPRESSION)                                                                    \
  static inline unsigned int NAME(unsigned int a, unsigned int b) {                                     \
    return ::cudashim::map_lanes<T>([](int x, int y, int) { return int(EXPRESSION); }, a, b);           \
  }

// Wrapping arithmetic does not depend on the sign; S and U are the signed and unsigned lane types.
#define BOTH_WIDTHS(N, S, U)                                                                            \
  LANES_2(__vadd##N, U, x + y) LANES_2(__vsub##N, U, x - y) LANES_1(__vneg##N, S, -x)                   \
  LANES_2(__vaddss##N, S, ::cudashim::clamp_lane<S>(x + y)) LANES_2(__vaddus##N, U, ::cudashim::clamp_lane<U>(x + y)) \
  LANES_2(__vsubss##N, S, ::cudashim::clamp_lane<S>(x - y)) LANES_2(__vsubus##N, U, ::cudashim::clamp_lane<U>(x - y)) \
  LANES_1(__vnegss##N, S, ::cudashim::clamp_lane<S>(-x))                                                \
  LANES_1(__vabs##N, S, x < 0 ? -x : x) LANES_1(__vabsss##N, S, ::cudashim::clamp_lane<S>(x < 0 ? -x : x)) \
  LANES_2(__vabsdiffs##N, S, x < y ? y - x : x - y) LANES_2(__vabsdiffu##N, U, x < y ? y - x : x - y)   \
  LANES_2(__vavgs##N, S, x + y >= 0 ? (x + y + 1) >> 1 : -((-(x + y) + 1) >> 1))                        \
  LANES_2(__vavgu##N, U, (x + y + 1) >> 1) LANES_2(__vhaddu##N, U, (x + y) >> 1)                        \
  LANES_2(__vmaxs##N, S, x > y ? x : y) LANES_2(__vmaxu##N, U, x > y ? x : y)                           \
  LANES_2(__vmins##N, S, x < y ? x : y) LANES_2(__vminu##N, U, x < y ? x : y)                           \
  COMPARED(N, eq, U, x == y) COMPARED(N, ne, U, x != y)                                                 \
  COMPARED(N, gts, S, x > y) COMPARED(N, gtu, U, x > y) COMPARED(N, ges, S, x >= y) COMPARED(N, geu, U, x >= y) \
  COMPARED(N, lts, S, x < y) COMPARED(N, ltu, U, x < y) COMPARED(N, les, S, x <= y) COMPARED(N, leu, U, x <= y) \
  SUMMED(__vsads##N, __vabsdiffs##N, U) SUMMED(__vsadu##N, __vabsdiffu##N, U)
#define COMPARED(N, WHAT, T, EXPRESSION)                                                                \
  LANES_2(__vcmp##WHAT##N, T, (EXPRESSION) ? -1 : 0) LANES_2(__vset##WHAT##N, T, (EXPRESSION) ? 1 : 0)
#define SUMMED(NAME, DIFFERENCE, U)                                                                     \
  static inline unsigned int NAME(unsigned int a, unsigned int b) {                                     \
    unsigned int word = DIFFERENCE(a, b), sum = 0;                                                      \
    for (int i = 0; i * int(sizeof(U)) < 4; ++i) sum += ::cudashim::lane_of<U>(word, i);                \
    return sum;                                                                                         \
  }
BOTH_WIDTHS(2, int16_t, uint16_t)
BOTH_WIDTHS(4, int8_t, uint8_t)
#undef BOTH_WIDTHS
#undef COMPARED
#undef SUMMED
#undef LANES_1
#undef LANES_2
