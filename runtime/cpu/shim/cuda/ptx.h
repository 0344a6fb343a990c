// What the C++ made from inline PTX (ptx_source.py) calls: registers, and the operations that are no C++ operator.
#pragma once
#include "atomics.h"
#include "cast_intrinsics.h"
#include "integer_intrinsics.h"
#include "math_functions.h"
#include "memory.h"
#include "narrow.h"
#include "warp.h"

namespace cudashim::ptx {

// A PTX register: 64 bits, read as the type the instruction names.
struct Register {
  uint64_t bits = 0;
  template <class T> T as() const {
    if constexpr (std::is_same_v<T, bool>) return bits != 0;
    else {
      T value;
      std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
      return value;
    }
  }
  template <class T> static Register of(T value) {
    Register result;
    if constexpr (std::is_integral_v<T> && std::is_signed_v<T> && sizeof(T) < 4)
      result.bits = uint32_t(int32_t(value));  // signed results extend to the width of their register
    else
      std::memcpy(&result.bits, &value, sizeof(T));
    return result;
  }
};

// An asm operand into its register, which holds a T; and back.
template <class T, class V>
inline Register in(const V& value) {
  if constexpr (std::is_pointer_v<V>) return Register{uint64_t(reinterpret_cast<uintptr_t>(value))};
  else if constexpr (std::is_arithmetic_v<V> || std::is_enum_v<V>) return Register::of(T(value));
  else return Register::of(value);
}
template <class T, class V>
inline void out(V& target, Register value) {
  if constexpr (std::is_pointer_v<V>) target = reinterpret_cast<V>(uintptr_t(value.bits));
  else if constexpr (std::is_arithmetic_v<V>) target = V(value.as<T>());
  else std::memcpy(static_cast<void*>(&target), &value.bits, sizeof(V));
}

inline Register same(Register a) { return a; }
inline Register selp(Register a, Register b, Register p) { return p.bits ? a : b; }
inline Register activemask() { return Register{engine::active_lanes()}; }

// Shared addresses are 32-bit offsets from the block's dynamic shared memory.
inline Register to_shared(Register a) { return Register::of(uint64_t(__cvta_generic_to_shared((const void*)a.bits))); }
inline Register from_shared(Register a) { return Register::of((uint64_t)__cvta_shared_to_generic(a.as<uint32_t>())); }
template <bool Shared> inline char* address(Register a) {
  return static_cast<char*>(Shared ? __cvta_shared_to_generic(a.as<uint32_t>()) : (void*)a.bits);
}
template <class T> inline Register load(const char* place, int index) {
  return Register::of(reinterpret_cast<const T*>(place)[index]);
}
template <class T> inline void store(char* place, int index, Register value) {
  reinterpret_cast<T*>(place)[index] = value.as<T>();
}
// cp.async: `kept` bytes from the source, zeros up to `size`.
inline void copy(char* target, const char* source, uint64_t size, uint32_t kept) {
  for (uint64_t i = 0; i < size; ++i) target[i] = i < kept ? source[i] : char(0);
}

template <class T> inline T mul_hi(T a, T b) {
  using Wide = std::conditional_t<(sizeof(T) == 8), __int128, std::conditional_t<(sizeof(T) == 4), int64_t, int32_t>>;
  return T((std::make_unsigned_t<Wide>(Wide(a)) * std::make_unsigned_t<Wide>(Wide(b))) >> (sizeof(T) * 8));
}
inline uint32_t mul24(uint32_t a, uint32_t b) { return __umul24(a, b); }
inline int32_t mul24(int32_t a, int32_t b) { return __mul24(a, b); }
// Scalars and pairs of the 16-bit formats are classes of two and four bytes.
template <class T> constexpr bool is_pair = std::is_class_v<T> && sizeof(T) == 4;
template <class T> constexpr bool is_narrow = std::is_class_v<T> && sizeof(T) == 2;

// f of a scalar, or of both elements of a pair.
template <class F, class T, class... More>
inline T by_element(F f, T a, More... more) {
  if constexpr (is_pair<T>) return T(f(a.x, more.x...), f(a.y, more.y...));
  else return f(a, more...);
}
template <class T> inline T fused(T a, T b, T c) {
  return by_element([](auto x, auto y, auto z) {
    if constexpr (is_narrow<decltype(x)>) return __hfma(x, y, z);
    else return std::fma(x, y, z);
  }, a, b, c);
}
template <class T> inline T unit_clamp(T a) {
  return by_element([](auto x) { return float(x) >= 1.0f ? decltype(x)(1.0f) : float(x) > 0.0f ? x : decltype(x)(0.0f); }, a);
}
template <class T> inline T relu(T a) {
  return by_element([](auto x) { return float(x) <= 0.0f ? decltype(x)(0.0f) : x; }, a);
}
template <class T> inline T saturated_sum(T a, T b) {
  if constexpr (std::is_same_v<T, int32_t>) {
    int64_t sum = int64_t(a) + b;
    return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : int32_t(sum);
  } else {
    return unit_clamp(T(a + b));
  }
}
template <class T> inline T extreme_of(T a, T b, bool highest) {
  return by_element([highest](auto x, auto y) {
    using X = decltype(x);
    if constexpr (is_narrow<X>) return cudashim::extreme(x, y, highest, false);
    else if constexpr (std::is_floating_point_v<X>) return highest ? std::fmax(x, y) : std::fmin(x, y);
    else return (x < y) == highest ? y : x;
  }, a, b);
}
template <class T> inline T least(T a, T b) { return extreme_of(a, b, false); }
template <class T> inline T greatest(T a, T b) { return extreme_of(a, b, true); }
template <class T> inline T magnitude(T a) {
  return by_element([](auto x) {
    using X = decltype(x);
    if constexpr (is_narrow<X>) return __habs(x);
    else if constexpr (std::is_floating_point_v<X>) return std::fabs(x);
    else return X(x < 0 ? std::make_unsigned_t<X>(0) - std::make_unsigned_t<X>(x) : std::make_unsigned_t<X>(x));
  }, a);
}
// A function of double, rounded once to the format.
template <class F, class T> inline T through_double(F f, T a) {
  return by_element([f](auto x) {
    if constexpr (is_narrow<decltype(x)>) return decltype(x)(double(f(double(float(x)))));
    else return decltype(x)(f(double(x)));
  }, a);
}
template <class T> inline T exp2_of(T a) { return through_double([](double v) { return std::exp2(v); }, a); }
template <class T> inline T tanh_of(T a) { return through_double([](double v) { return std::tanh(v); }, a); }
template <class T> inline T not_of(T a) {
  if constexpr (std::is_same_v<T, bool>) return !a;
  else return T(~a);
}
template <class T> inline uint32_t popcount(T a) { return uint32_t(__builtin_popcountll(std::make_unsigned_t<T>(a))); }
template <class T> inline uint32_t leading_zeros(T a) {
  return a == 0 ? uint32_t(sizeof(T) * 8) : uint32_t(__builtin_clzll(std::make_unsigned_t<T>(a))) - uint32_t(64 - sizeof(T) * 8);
}
template <class T> inline T reversed(T a) { return T(__brevll(std::make_unsigned_t<T>(a)) >> (64 - sizeof(T) * 8)); }
template <class T> inline uint32_t highest_bit(T a) {
  std::make_unsigned_t<T> value = a < 0 ? ~std::make_unsigned_t<T>(a) : std::make_unsigned_t<T>(a);
  return value == 0 ? 0xffffffffu : 63u - uint32_t(__builtin_clzll(value));
}

inline Register lop3(Register a, Register b, Register c, Register table) {
  uint64_t result = 0;
  for (int i = 0; i < 8; ++i) {  // the table's bit i holds for a, b, c = the bits of i
    if (!((table.bits >> i) & 1)) continue;
    result |= (i & 4 ? a.bits : ~a.bits) & (i & 2 ? b.bits : ~b.bits) & (i & 1 ? c.bits : ~c.bits);
  }
  return Register{result & 0xffffffffu};
}
// Bit 3 of a selector nibble replicates the byte's sign.
inline Register prmt(Register a, Register b, Register selector) {
  uint64_t both = (b.bits << 32) | (a.bits & 0xffffffffu), result = 0;
  for (int i = 0; i < 4; ++i) {
    unsigned nibble = unsigned(selector.bits >> (4 * i)) & 15;
    uint64_t byte = (both >> ((nibble & 7) * 8)) & 0xff;
    if (nibble & 8) byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return Register{result};
}
template <class T> inline Register bfe(Register a, Register position, Register length) {
  constexpr int bits = int(sizeof(T)) * 8;
  int pos = int(position.bits & 0xff), len = int(length.bits & 0xff);
  uint64_t value = uint64_t(std::make_unsigned_t<T>(a.as<T>()));
  bool negative = std::is_signed_v<T> && len > 0 && ((value >> (pos + len - 1 < bits - 1 ? pos + len - 1 : bits - 1)) & 1);
  uint64_t shifted = pos < bits ? value >> pos : 0;
  int available = pos + len <= bits ? len : pos < bits ? bits - pos : 0;
  uint64_t mask = available >= 64 ? ~uint64_t(0) : (uint64_t(1) << available) - 1;
  return Register::of(T(negative ? (shifted & mask) | ~mask : shifted & mask));
}
template <class T> inline Register bfi(Register a, Register b, Register position, Register length) {
  constexpr int bits = int(sizeof(T)) * 8;
  int pos = int(position.bits & 0xff), len = int(length.bits & 0xff);
  if (pos >= bits) return b;
  uint64_t mask = (len >= 64 ? ~uint64_t(0) : (uint64_t(1) << len) - 1) << pos;
  return Register::of(T((b.bits & ~mask) | ((a.bits << pos) & mask)));
}
template <class T> inline Register shl(Register a, Register by) {
  uint32_t amount = by.as<uint32_t>();
  return Register::of(T(amount >= sizeof(T) * 8 ? 0 : std::make_unsigned_t<T>(a.as<T>()) << amount));
}
template <class T> inline Register shr(Register a, Register by) {
  uint32_t amount = by.as<uint32_t>(), last = uint32_t(sizeof(T) * 8 - 1);
  if (amount > last) return std::is_signed_v<T> ? Register::of(T(a.as<T>() >> last)) : Register{0};
  return Register::of(T(a.as<T>() >> amount));
}
#define FUNNEL(NAME, INTRINSIC)                                                                        \
  inline Register NAME(Register a, Register b, Register c) {                                           \
    return Register::of(INTRINSIC(a.as<uint32_t>(), b.as<uint32_t>(), c.as<uint32_t>()));              \
  }
FUNNEL(shf_l_wrap, __funnelshift_l) FUNNEL(shf_r_wrap, __funnelshift_r)
FUNNEL(shf_l_clamp, __funnelshift_lc) FUNNEL(shf_r_clamp, __funnelshift_rc)
#undef FUNNEL
template <class A, class B> inline Register dp4a(Register a, Register b, Register c) {
  using ByteA = std::conditional_t<std::is_signed_v<A>, int8_t, uint8_t>;
  using ByteB = std::conditional_t<std::is_signed_v<B>, int8_t, uint8_t>;
  return Register::of(dot4<ByteA, ByteB>(a.as<uint32_t>(), b.as<uint32_t>(), c.as<uint32_t>()));
}

// Number to number. `whole`: round a float to a whole float. Exact through double, except 64-bit integers.
template <class To, class From>
inline Register convert(Register source, Round mode, bool whole, bool saturate, bool relu) {
  From value = source.as<From>();
  if constexpr (std::is_integral_v<To> && std::is_integral_v<From>) {
    if (!saturate) return Register::of(To(value));
    __int128 wide = value, low = std::numeric_limits<To>::min(), high = std::numeric_limits<To>::max();
    return Register::of(To(wide < low ? low : wide > high ? high : wide));
  } else if constexpr (std::is_integral_v<To>) {
    if constexpr (std::is_same_v<From, double>) return Register::of(to_integer<To>(value, mode, true));
    else return Register::of(to_integer<To>(float(value), mode));
  } else {
    double number;
    if constexpr (std::is_integral_v<From>) number = integer_to_double_odd(value);
    else if constexpr (std::is_same_v<From, double>) number = value;
    else number = double(float(value));
    if (whole) number = round_to_integral(number, mode);
    if (saturate) number = unit_clamp(number);
    if (relu && number <= 0) number = 0;
    if constexpr (std::is_same_v<To, double> && std::is_integral_v<From>) return Register::of(integer_to_double(value, mode));
    else if constexpr (std::is_same_v<To, double>) return Register::of(number);
    else if constexpr (std::is_same_v<To, float>) return Register::of(double_to_float(number, mode));
    else return Register::of(To::rounded(number, mode));
  }
}

enum class ShuffleMode { up, down, butterfly, indexed };
// shfl.sync: c holds the clamp in its low five bits and the segment mask in bits 8 to 12.
inline Register shfl(ShuffleMode mode, Register& inside, Register value, Register b, Register c, Register mask) {
  int lane = int(engine::lane()), by = int(b.bits & 31), clamp = int(c.bits & 31), segment = int((c.bits >> 8) & 31);
  int highest = (lane & segment) | (clamp & ~segment), source = lane;
  bool within = true;
  switch (mode) {
    case ShuffleMode::up: source = lane - by; within = source >= highest; break;
    case ShuffleMode::down: source = lane + by; within = source <= highest; break;
    case ShuffleMode::butterfly: source = lane ^ by; within = source <= highest; break;
    case ShuffleMode::indexed: source = (lane & segment) | (by & ~segment); within = source <= highest; break;
  }
  inside = Register{within};
  return Register{shuffle(mask.as<uint32_t>(), value.as<uint32_t>(), within ? source : lane)};
}
inline Register vote_ballot(Register p, Register mask) { return Register{ballot(mask.as<uint32_t>(), p.bits != 0)}; }
inline Register vote_any(Register p, Register mask) { return Register{vote_ballot(p, mask).bits != 0}; }
inline Register vote_all(Register p, Register mask) { return Register{all_of(mask.as<uint32_t>(), p.bits != 0)}; }
inline Register vote_uni(Register p, Register mask) { return Register{uint64_t(__uni_sync(mask.as<uint32_t>(), p.bits != 0))}; }
template <class T> inline Register match_any(Register value, Register mask) {
  return Register{match(mask.as<uint32_t>(), value.as<T>())};
}
template <class T, class Op> inline Register redux(Register value, Register mask) {
  return Register::of(reduce<T, Op>(mask.as<uint32_t>(), value.as<T>()));
}

}  // namespace cudashim::ptx

#include "ptx_mma.h"
