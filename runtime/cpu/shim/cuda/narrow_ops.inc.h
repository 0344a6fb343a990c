// The 16-bit intrinsics that half and bfloat16 share by overload: saturation, NaN rules, comparisons, pairs, math.
// Included once per format with NARROW and NARROW2 defined. Plain functions, so that CUDA's implicit conversions work.

static inline NARROW __hadd_rn(NARROW a, NARROW b) { return __hadd(a, b); }
static inline NARROW __hsub_rn(NARROW a, NARROW b) { return __hsub(a, b); }
static inline NARROW __hmul_rn(NARROW a, NARROW b) { return __hmul(a, b); }
static inline NARROW __hadd_sat(NARROW a, NARROW b) { return ::cudashim::saturate(__hadd(a, b)); }
static inline NARROW __hsub_sat(NARROW a, NARROW b) { return ::cudashim::saturate(__hsub(a, b)); }
static inline NARROW __hmul_sat(NARROW a, NARROW b) { return ::cudashim::saturate(__hmul(a, b)); }
static inline NARROW __hfma_sat(NARROW a, NARROW b, NARROW c) { return ::cudashim::saturate(__hfma(a, b, c)); }
static inline NARROW __hfma_relu(NARROW a, NARROW b, NARROW c) { return ::cudashim::relu(__hfma(a, b, c)); }
static inline NARROW __hmax(NARROW a, NARROW b) { return ::cudashim::extreme(a, b, true, false); }
static inline NARROW __hmin(NARROW a, NARROW b) { return ::cudashim::extreme(a, b, false, false); }
static inline NARROW __hmax_nan(NARROW a, NARROW b) { return ::cudashim::extreme(a, b, true, true); }
static inline NARROW __hmin_nan(NARROW a, NARROW b) { return ::cudashim::extreme(a, b, false, true); }
static inline bool __hisnan(NARROW a) { return ::cudashim::is_nan(a); }
static inline int __hisinf(NARROW a) {
  float v = float(a);
  return std::isinf(v) ? (v > 0 ? 1 : -1) : 0;
}

static inline NARROW2 __hneg2(NARROW2 a) { return NARROW2(__hneg(a.x), __hneg(a.y)); }
static inline NARROW2 __habs2(NARROW2 a) { return NARROW2(__habs(a.x), __habs(a.y)); }
static inline NARROW2 __hisnan2(NARROW2 a) { return NARROW2(::cudashim::flag<NARROW>(__hisnan(a.x)), ::cudashim::flag<NARROW>(__hisnan(a.y))); }

#define PAIR_BINARY(NAME2, NAME) \
  static inline NARROW2 NAME2(NARROW2 a, NARROW2 b) { return NARROW2(NAME(a.x, b.x), NAME(a.y, b.y)); }
PAIR_BINARY(__hadd2, __hadd) PAIR_BINARY(__hsub2, __hsub) PAIR_BINARY(__hmul2, __hmul) PAIR_BINARY(__h2div, __hdiv)
PAIR_BINARY(__hadd2_rn, __hadd) PAIR_BINARY(__hsub2_rn, __hsub) PAIR_BINARY(__hmul2_rn, __hmul)
PAIR_BINARY(__hadd2_sat, __hadd_sat) PAIR_BINARY(__hsub2_sat, __hsub_sat) PAIR_BINARY(__hmul2_sat, __hmul_sat)
PAIR_BINARY(__hmax2, __hmax) PAIR_BINARY(__hmin2, __hmin)
PAIR_BINARY(__hmax2_nan, __hmax_nan) PAIR_BINARY(__hmin2_nan, __hmin_nan)
#undef PAIR_BINARY

#define PAIR_TERNARY(NAME2, NAME) \
  static inline NARROW2 NAME2(NARROW2 a, NARROW2 b, NARROW2 c) { return NARROW2(NAME(a.x, b.x, c.x), NAME(a.y, b.y, c.y)); }
PAIR_TERNARY(__hfma2, __hfma) PAIR_TERNARY(__hfma2_sat, __hfma_sat) PAIR_TERNARY(__hfma2_relu, __hfma_relu)
#undef PAIR_TERNARY

// Complex a * b + c with (real, imaginary) pairs, in the order of operations CUDA documents.
static inline NARROW2 __hcmadd(NARROW2 a, NARROW2 b, NARROW2 c) {
  NARROW real = __hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x));
  NARROW imaginary = __hfma(a.y, b.x, __hfma(a.x, b.y, c.y));
  return NARROW2(real, imaginary);
}

// eq …: ordered, false with a NaN; equ …: unordered, true with a NaN. Pairs: 1.0/0.0, all, or a mask.
#define COMPARISON(NAME, EXPRESSION) \
  static inline bool __h##NAME(NARROW left, NARROW right) { float a = float(left), b = float(right); return EXPRESSION; } \
  static inline bool __h##NAME##u(NARROW left, NARROW right) { \
    float a = float(left), b = float(right); \
    return std::isnan(a) || std::isnan(b) || (EXPRESSION); \
  } \
  COMPARISON_PAIR(NAME) COMPARISON_PAIR(NAME##u)
#define COMPARISON_PAIR(NAME) \
  static inline NARROW2 __h##NAME##2(NARROW2 a, NARROW2 b) { \
    return NARROW2(::cudashim::flag<NARROW>(__h##NAME(a.x, b.x)), ::cudashim::flag<NARROW>(__h##NAME(a.y, b.y))); \
  } \
  static inline bool __hb##NAME##2(NARROW2 a, NARROW2 b) { \
    return __h##NAME(a.x, b.x) && __h##NAME(a.y, b.y); \
  } \
  static inline unsigned __h##NAME##2_mask(NARROW2 a, NARROW2 b) { \
    return (__h##NAME(a.x, b.x) ? 0xffffu : 0u) | (__h##NAME(a.y, b.y) ? 0xffff0000u : 0u); \
  }
COMPARISON(eq, a == b)
COMPARISON(lt, a < b) COMPARISON(le, a <= b) COMPARISON(gt, a > b) COMPARISON(ge, a >= b)
COMPARISON(ne, !std::isnan(a) && !std::isnan(b) && a != b)
#undef COMPARISON
#undef COMPARISON_PAIR

// Math: the double result rounded once.
#define MATH(NAME, EXPRESSION) \
  static inline NARROW h##NAME(NARROW a) { return ::cudashim::map_double(a, [](double v) { return EXPRESSION; }); } \
  static inline NARROW2 h2##NAME(NARROW2 a) { return NARROW2(h##NAME(a.x), h##NAME(a.y)); }
MATH(ceil, std::ceil(v)) MATH(floor, std::floor(v)) MATH(trunc, std::trunc(v)) MATH(rint, std::nearbyint(v))
MATH(sqrt, std::sqrt(v)) MATH(rsqrt, 1.0 / std::sqrt(v)) MATH(rcp, 1.0 / v)
MATH(exp, std::exp(v)) MATH(exp2, std::exp2(v)) MATH(exp10, std::pow(10.0, v))
MATH(log, std::log(v)) MATH(log2, std::log2(v)) MATH(log10, std::log10(v))
MATH(sin, std::sin(v)) MATH(cos, std::cos(v)) MATH(tanh, std::tanh(v))
MATH(tanh_approx, std::tanh(v))
#undef MATH
