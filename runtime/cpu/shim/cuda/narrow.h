// What half and bfloat16 share: traits, saturation and NaN rules.
#pragma once
#include "formats.h"
#include "conversions.h"

namespace cudashim {

template <class T> struct narrow_traits;  // format, pair
template <class P> struct pair_traits;    // element
template <class T> inline bool is_nan(T a) { return std::isnan(float(a)); }
template <class T> inline T nan_of() { return T::from_bits(narrow_traits<T>::format::canonical_nan); }
template <class T> inline T flag(bool on) { return T(on ? 1.0f : 0.0f); }

// To [0, 1], NaN to +0.
template <class T> inline T saturate(T a) {
  float v = float(a);
  return v >= 1.0f ? T(1.0f) : v > 0.0f ? a : T(0.0f);
}

// max(a, 0), NaN kept, -0 to +0.
template <class T> inline T relu(T a) { return is_nan(a) ? nan_of<T>() : float(a) > 0.0f ? a : T(0.0f); }

template <class T> inline T extreme(T a, T b, bool greatest, bool keep_nan) {
  if (is_nan(a) || is_nan(b)) {
    if (keep_nan || (is_nan(a) && is_nan(b))) return nan_of<T>();
    return is_nan(a) ? b : a;
  }
  if (float(a) == float(b)) {  // +0 is greater than -0
    bool a_negative = (a.bits() & 0x8000) != 0;
    return a_negative == greatest ? b : a;
  }
  return (float(a) > float(b)) == greatest ? a : b;
}

template <class T, class F> inline T map_double(T a, F f) { return T(double(f(double(float(a))))); }

}  // namespace cudashim
