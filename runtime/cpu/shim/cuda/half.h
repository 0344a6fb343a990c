// binary16: __half, __half2 and their intrinsics (cuda_fp16.h).
#pragma once
#include "atomics.h"
#include "narrow.h"
#include "vector_types.h"

#define NARROW __half
#define NARROW2 __half2
#define NARROW_RAW __half_raw
#define NARROW2_RAW __half2_raw
#define FORMAT Binary16
#define NAME half
#define NAME2 half2
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

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
