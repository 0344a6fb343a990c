// DPX: fused add, minimum and maximum, on words and on two 16-bit lanes. Sums wrap.
#pragma once
#include "simd_intrinsics.h"

namespace cudashim {
template <class T> inline T greater_of(T a, T b) { return a > b ? a : b; }
template <class T> inline T lesser_of(T a, T b) { return a < b ? a : b; }
}  // namespace cudashim

// One operation (max: greater_of) on type T, whose form is S; PLUS adds.
#define THREE(MAX, PICK, S, T, PLUS)                                                             \
  static inline T __viadd##MAX##_##S(T a, T b, T c) { return PICK(PLUS(a, b), c); }              \
  static inline T __vi##MAX##3_##S(T a, T b, T c) { return PICK(PICK(a, b), c); }
#define NOT_NEGATIVE(MAX, PICK, RELU, S, T)                                                      \
  static inline T __viadd##MAX##_##S##_relu(T a, T b, T c) { return RELU(__viadd##MAX##_##S(a, b, c), 0); } \
  static inline T __vi##MAX##3_##S##_relu(T a, T b, T c) { return RELU(__vi##MAX##3_##S(a, b, c), 0); } \
  static inline T __vi##MAX##_##S##_relu(T a, T b) { return RELU(PICK(a, b), 0); }
#define WORD_SUM(a, b) decltype(a)((unsigned int)(a) + (unsigned int)(b))
THREE(max, ::cudashim::greater_of<int>, s32, int, WORD_SUM)
THREE(min, ::cudashim::lesser_of<int>, s32, int, WORD_SUM)
THREE(max, ::cudashim::greater_of<unsigned int>, u32, unsigned int, WORD_SUM)
THREE(min, ::cudashim::lesser_of<unsigned int>, u32, unsigned int, WORD_SUM)
THREE(max, __vmaxs2, s16x2, unsigned int, __vadd2)
THREE(min, __vmins2, s16x2, unsigned int, __vadd2)
THREE(max, __vmaxu2, u16x2, unsigned int, __vadd2)
THREE(min, __vminu2, u16x2, unsigned int, __vadd2)
NOT_NEGATIVE(max, ::cudashim::greater_of<int>, ::cudashim::greater_of<int>, s32, int)
NOT_NEGATIVE(min, ::cudashim::lesser_of<int>, ::cudashim::greater_of<int>, s32, int)
NOT_NEGATIVE(max, __vmaxs2, __vmaxs2, s16x2, unsigned int)
NOT_NEGATIVE(min, __vmins2, __vmaxs2, s16x2, unsigned int)
#undef THREE
#undef NOT_NEGATIVE
#undef WORD_SUM

// These also say which operand was taken: the first where both are equal.
#define WHICH(NAME, T, TAKEN)                                                                    \
  static inline T NAME(T a, T b, bool* which) {                                                  \
    *which = a TAKEN b;                                                                          \
    return *which ? a : b;                                                                       \
  }
WHICH(__vibmax_s32, int, >=) WHICH(__vibmin_s32, int, <=)
WHICH(__vibmax_u32, unsigned int, >=) WHICH(__vibmin_u32, unsigned int, <=)
#undef WHICH
#define WHICH_LANES(NAME, LANE, PICK, TAKEN)                                                     \
  static inline unsigned int NAME(unsigned int a, unsigned int b, bool* high, bool* low) {       \
    *high = LANE(a >> 16) TAKEN LANE(b >> 16);                                                   \
    *low = LANE(a) TAKEN LANE(b);                                                                \
    return PICK(a, b);                                                                           \
  }
WHICH_LANES(__vibmax_s16x2, int16_t, __vmaxs2, >=) WHICH_LANES(__vibmin_s16x2, int16_t, __vmins2, <=)
WHICH_LANES(__vibmax_u16x2, uint16_t, __vmaxu2, >=) WHICH_LANES(__vibmin_u16x2, uint16_t, __vminu2, <=)
#undef WHICH_LANES
