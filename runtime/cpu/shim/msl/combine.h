// How values of several lanes become one: the operations, and the type that they are done in.
#pragma once
#include "sync.h"

namespace metal {

inline constexpr uint kLanes = engine::kSimd;

namespace detail {

// 16-bit floats add up in float and round once.
template <class T>
struct wide {
    using type = T;
};
template <_Narrow T>
struct wide<T> {
    using type = float;
};
template <_Narrow T, int N>
struct wide<vec<T, N>> {
    using type = vec<float, N>;
};

struct Plus {
    template <class A>
    auto operator()(const A& a, const A& b) const { return a + b; }
};
struct Times {
    template <class A>
    auto operator()(const A& a, const A& b) const { return a * b; }
};
struct Least {
    template <class A>
    auto operator()(const A& a, const A& b) const { return min(a, b); }
};
struct Most {
    template <class A>
    auto operator()(const A& a, const A& b) const { return max(a, b); }
};
inline std::uint32_t bits_as_integer(float x) { return __builtin_bit_cast(std::uint32_t, x); }
struct And {
    template <class A>
    auto operator()(const A& a, const A& b) const {
        if constexpr (_Floating<A>) {
            return as_type<A>(bits_as_integer(a) & bits_as_integer(b));
        } else {
            return a & b;
        }
    }
};
struct Or {
    template <class A>
    auto operator()(const A& a, const A& b) const {
        if constexpr (_Floating<A>) {
            return as_type<A>(bits_as_integer(a) | bits_as_integer(b));
        } else {
            return a | b;
        }
    }
};
struct Xor {
    template <class A>
    auto operator()(const A& a, const A& b) const {
        if constexpr (_Floating<A>) {
            return as_type<A>(bits_as_integer(a) ^ bits_as_integer(b));
        } else {
            return a ^ b;
        }
    }
};

}  // namespace detail
}  // namespace metal
