// The scalar and pair types of one 16-bit format. Included once per format with
// NARROW, NARROW2, NARROW_RAW, NARROW2_RAW and FORMAT defined.

struct NARROW_RAW { unsigned short x; };
struct alignas(4) NARROW2_RAW { unsigned short x, y; };

struct alignas(2) NARROW {
 protected:
  unsigned short __x;

 public:
  NARROW() = default;
  NARROW(const NARROW_RAW& raw) : __x(raw.x) {}
  NARROW(float v) : __x(::cudashim::FORMAT::encode(v)) {}
  NARROW(double v) : __x(::cudashim::encode_rounded<::cudashim::FORMAT>(v, ::cudashim::Round::nearest_even)) {}
#define FROM_INTEGER(T) NARROW(T v) : __x(from_integer(v)) {}
  FROM_INTEGER(short) FROM_INTEGER(unsigned short) FROM_INTEGER(int) FROM_INTEGER(unsigned int)
  FROM_INTEGER(long) FROM_INTEGER(unsigned long) FROM_INTEGER(long long) FROM_INTEGER(unsigned long long)
#undef FROM_INTEGER
  operator NARROW_RAW() const { return NARROW_RAW{__x}; }
  operator float() const { return ::cudashim::FORMAT::decode(__x); }
  operator bool() const { return (__x & 0x7fff) != 0; }
#define TO_INTEGER(T) operator T() const { return ::cudashim::to_integer<T>(double(float(*this)), ::cudashim::Round::zero); }
  TO_INTEGER(char) TO_INTEGER(signed char) TO_INTEGER(unsigned char) TO_INTEGER(short) TO_INTEGER(unsigned short)
  TO_INTEGER(int) TO_INTEGER(unsigned int) TO_INTEGER(long) TO_INTEGER(unsigned long)
  TO_INTEGER(long long) TO_INTEGER(unsigned long long)
#undef TO_INTEGER
  NARROW& operator=(const NARROW_RAW& raw) { __x = raw.x; return *this; }

  static NARROW from_bits(unsigned short bits) { return NARROW(NARROW_RAW{bits}); }
  unsigned short bits() const { return __x; }
  static NARROW rounded(double v, ::cudashim::Round mode) {
    return from_bits(::cudashim::encode_rounded<::cudashim::FORMAT>(v, mode));
  }

 private:
  template <class T>
  static unsigned short from_integer(T v) {
    return ::cudashim::encode_integer<::cudashim::FORMAT>(v, ::cudashim::Round::nearest_even);
  }
};

struct alignas(4) NARROW2 {
  NARROW x, y;
  NARROW2() = default;
  NARROW2(const NARROW& a, const NARROW& b) : x(a), y(b) {}
  NARROW2(const NARROW2_RAW& raw) : x(NARROW_RAW{raw.x}), y(NARROW_RAW{raw.y}) {}
  operator NARROW2_RAW() const { return NARROW2_RAW{x.bits(), y.bits()}; }
};

namespace cudashim {
template <> struct narrow_traits<NARROW> { using format = FORMAT; using pair = NARROW2; };
template <> struct pair_traits<NARROW2> { using element = NARROW; };
}

// The arithmetic of the format: each operator rounds once. float holds more than twice the digits, so that
// rounding a float result of + - * / again is innocent; fma goes through double, to odd.
static inline NARROW __hadd(NARROW a, NARROW b) { return NARROW(float(a) + float(b)); }
static inline NARROW __hsub(NARROW a, NARROW b) { return NARROW(float(a) - float(b)); }
static inline NARROW __hmul(NARROW a, NARROW b) { return NARROW(float(a) * float(b)); }
static inline NARROW __hdiv(NARROW a, NARROW b) { return NARROW(float(a) / float(b)); }
static inline NARROW __hneg(NARROW a) { return NARROW::from_bits(a.bits() ^ 0x8000); }
static inline NARROW __habs(NARROW a) { return NARROW::from_bits(a.bits() & 0x7fff); }
static inline NARROW __hfma(NARROW a, NARROW b, NARROW c) {
  return NARROW(::cudashim::fma_round_odd(double(float(a)), double(float(b)), double(float(c))));
}

#define BINARY_OPERATOR(OP, NAME)                                                                        \
  static inline NARROW operator OP(const NARROW& a, const NARROW& b) { return NAME(a, b); }              \
  static inline NARROW& operator OP##=(NARROW& a, const NARROW& b) { return a = NAME(a, b); }            \
  static inline NARROW2 operator OP(const NARROW2& a, const NARROW2& b) {                                \
    return NARROW2(NAME(a.x, b.x), NAME(a.y, b.y));                                                      \
  }                                                                                                      \
  static inline NARROW2& operator OP##=(NARROW2& a, const NARROW2& b) { return a = a OP b; }
BINARY_OPERATOR(+, __hadd)
BINARY_OPERATOR(-, __hsub)
BINARY_OPERATOR(*, __hmul)
BINARY_OPERATOR(/, __hdiv)
#undef BINARY_OPERATOR

static inline NARROW operator+(const NARROW& a) { return a; }
static inline NARROW operator-(const NARROW& a) { return __hneg(a); }
static inline NARROW& operator++(NARROW& a) { return a = __hadd(a, NARROW(1.0f)); }
static inline NARROW& operator--(NARROW& a) { return a = __hsub(a, NARROW(1.0f)); }
static inline NARROW operator++(NARROW& a, int) { NARROW old = a; ++a; return old; }
static inline NARROW operator--(NARROW& a, int) { NARROW old = a; --a; return old; }
static inline NARROW2 operator+(const NARROW2& a) { return a; }
static inline NARROW2 operator-(const NARROW2& a) { return NARROW2(__hneg(a.x), __hneg(a.y)); }

// Ordered comparisons: false with a NaN, except !=, which is CUDA's unordered form.
#define COMPARISON(OP)                                                                                     \
  static inline bool operator OP(const NARROW& a, const NARROW& b) { return float(a) OP float(b); }        \
  static inline bool operator OP(const NARROW2& a, const NARROW2& b) { return a.x OP b.x && a.y OP b.y; }
COMPARISON(==) COMPARISON(!=) COMPARISON(<) COMPARISON(<=) COMPARISON(>) COMPARISON(>=)
#undef COMPARISON
