// bfloat16: __nv_bfloat16, __nv_bfloat162 and their intrinsics (cuda_bf16.h).
#pragma once
#include "atomics.h"
#include "narrow.h"
#include "vector_types.h"

#define NARROW __nv_bfloat16
#define NARROW2 __nv_bfloat162
#define NARROW_RAW __nv_bfloat16_raw
#define NARROW2_RAW __nv_bfloat162_raw
#define FORMAT Bfloat16
#define NAME bfloat16
#define NAME2 bfloat162
#include "narrow_type.inc.h"
#include "narrow_ops.inc.h"
#include "narrow_conversions.inc.h"
#include "narrow_limits.inc.h"
#include "atomics_narrow.inc.h"
#undef NARROW
#undef NARROW2
#undef NARROW_RAW
#undef NARROW2_RAW
#undef FORMAT
#undef NAME
#undef NAME2

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
