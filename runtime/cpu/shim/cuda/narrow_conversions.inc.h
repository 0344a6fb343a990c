// The 16-bit conversions, whose names carry the format's. Included once per format with NARROW, NARROW2,
// NAME (half, bfloat16) and NAME2 (half2, bfloat162) defined.

#define CAT3(A, B, C) A##B##C
#define CAT(A, B, C) CAT3(A, B, C)
#define CAT4(A, B) CAT3(A, B, )

static inline NARROW CAT(__float2, NAME, )(float v) { return NARROW(v); }
static inline NARROW CAT(__double2, NAME, )(double v) { return NARROW(v); }
static inline float CAT(__, NAME, 2float)(NARROW v) { return float(v); }

#define ROUNDED(SUFFIX, MODE)                                                                              \
  static inline NARROW CAT(__float2, NAME, SUFFIX)(float v) {                                              \
    return NARROW::rounded(double(v), ::cudashim::Round::MODE);                                            \
  }                                                                                                        \
  INTEGERS(SUFFIX, MODE, int, int) INTEGERS(SUFFIX, MODE, uint, unsigned int)                              \
  INTEGERS(SUFFIX, MODE, short, short) INTEGERS(SUFFIX, MODE, ushort, unsigned short)                      \
  INTEGERS(SUFFIX, MODE, ll, long long) INTEGERS(SUFFIX, MODE, ull, unsigned long long)
#define INTEGERS(SUFFIX, MODE, SHORT, T)                                                                   \
  static inline NARROW CAT(__##SHORT##2, NAME, SUFFIX)(T v) {                                              \
    return NARROW::from_bits(::cudashim::encode_integer<::cudashim::FORMAT>(v, ::cudashim::Round::MODE));  \
  }                                                                                                        \
  static inline T CAT(__, NAME, 2##SHORT##SUFFIX)(NARROW v) {                                              \
    return ::cudashim::to_integer<T>(float(v), ::cudashim::Round::MODE);                                   \
  }
ROUNDED(_rn, nearest_even) ROUNDED(_rz, zero) ROUNDED(_rd, down) ROUNDED(_ru, up)
#undef ROUNDED
#undef INTEGERS
static inline signed char CAT(__, NAME, 2char_rz)(NARROW v) {
  return ::cudashim::to_integer<signed char>(float(v), ::cudashim::Round::zero);
}
static inline unsigned char CAT(__, NAME, 2uchar_rz)(NARROW v) {
  return ::cudashim::to_integer<unsigned char>(float(v), ::cudashim::Round::zero);
}

static inline short CAT(__, NAME, _as_short)(NARROW v) { return short(v.bits()); }
static inline unsigned short CAT(__, NAME, _as_ushort)(NARROW v) { return v.bits(); }
static inline NARROW CAT(__short_as_, NAME, )(short v) { return NARROW::from_bits((unsigned short)v); }
static inline NARROW CAT(__ushort_as_, NAME, )(unsigned short v) { return NARROW::from_bits(v); }

static inline NARROW2 CAT(make_, NAME2, )(NARROW a, NARROW b) { return NARROW2(a, b); }
static inline NARROW2 CAT(__halves2, NAME2, )(NARROW a, NARROW b) { return NARROW2(a, b); }
static inline NARROW2 CAT(__, NAME, CAT4(2, NAME2))(NARROW a) { return NARROW2(a, a); }
static inline NARROW2 CAT(__float2, NAME2, _rn)(float a) { return NARROW2(NARROW(a), NARROW(a)); }
static inline NARROW2 CAT(__floats2, NAME2, _rn)(float a, float b) { return NARROW2(NARROW(a), NARROW(b)); }
static inline NARROW2 CAT(__float22, NAME2, _rn)(float2 v) { return NARROW2(NARROW(v.x), NARROW(v.y)); }
static inline float2 CAT(__, NAME2, 2float2)(NARROW2 v) { return float2{float(v.x), float(v.y)}; }

static inline float __low2float(NARROW2 v) { return float(v.x); }
static inline float __high2float(NARROW2 v) { return float(v.y); }
static inline NARROW CAT(__low2, NAME, )(NARROW2 v) { return v.x; }
static inline NARROW CAT(__high2, NAME, )(NARROW2 v) { return v.y; }
static inline NARROW2 CAT(__low2, NAME2, )(NARROW2 v) { return NARROW2(v.x, v.x); }
static inline NARROW2 CAT(__high2, NAME2, )(NARROW2 v) { return NARROW2(v.y, v.y); }
static inline NARROW2 CAT(__lows2, NAME2, )(NARROW2 a, NARROW2 b) { return NARROW2(a.x, b.x); }
static inline NARROW2 CAT(__highs2, NAME2, )(NARROW2 a, NARROW2 b) { return NARROW2(a.y, b.y); }
static inline NARROW2 __lowhigh2highlow(NARROW2 v) { return NARROW2(v.y, v.x); }

#undef CAT
#undef CAT3
#undef CAT4
