// The bfloat16 functions MLX adds to namespace metal: each takes and returns bfloat.
#pragma once
#include <metal_stdlib>
#include <metal_internals>

typedef bfloat bfloat16_t;
typedef half float16_t;
inline uint16_t bfloat16_to_uint16(bfloat x) { return as_type<uint16_t>(x); }
inline bfloat uint16_to_bfloat16(uint16_t x) { return as_type<bfloat>(x); }

#define __MLX_BFLOAT16_MATH                                                                              \
  __MSL_MATH_1(bfloat)                                                                                   \
  bfloat atan2(bfloat, bfloat); bfloat divide(bfloat, bfloat); bfloat fmax(bfloat, bfloat);              \
  bfloat fmin(bfloat, bfloat); bfloat max(bfloat, bfloat); bfloat min(bfloat, bfloat);                   \
  bfloat fmod(bfloat, bfloat); bfloat nextafter(bfloat, bfloat); bfloat pow(bfloat, bfloat);             \
  bfloat powr(bfloat, bfloat); __MSL_MATH_3(bfloat) bfloat frexp(bfloat, thread int&); bfloat ldexp(bfloat, int);

namespace metal {
__MLX_BFLOAT16_MATH
namespace fast {
__MLX_BFLOAT16_MATH
}
namespace precise {
__MLX_BFLOAT16_MATH
}
__MSL_SIMD_MOVES(bfloat)
__MSL_SIMD_SUMS(bfloat)
bfloat simd_xor(bfloat);
} // namespace metal
#undef __MLX_BFLOAT16_MATH
