// Simdgroup and quadgroup functions: each lane brings its data to one of the engine's collectives, of which
// the last one computes all results. A value from a lane that takes no part is all ones (NaN), so that a use
// shows; where that lane is alive but elsewhere, it is a fault.
#pragma once
#include "sync.h"

namespace metal {

inline constexpr uint kLanes = engine::kSimd;

namespace detail {

template <class T>
struct Lane {
    T value, result;
    int source;
};

template <class T>
inline void poison(T& value) {
    __builtin_memset(static_cast<void*>(&value), 0xFF, sizeof(T));
}

// Each active lane's own record, and the number of the lane.
template <class L, class F>
inline void each(void* const* lanes, std::uint32_t active, F f) {
    for (std::uint32_t rest = active; rest; rest &= rest - 1) {
        const int i = __builtin_ctz(rest);
        f(*static_cast<L*>(lanes[i]), i);
    }
}

template <class T>
inline T plain(const T& value) {
    return value;
}
template <class V>
    requires _Vector<V>
inline vec_of<V> plain(const V& value) {
    return value;
}

// The value of lane `source`.
template <class T>
inline T read_lane(T value, int source) {
    Lane<T> mine{value, value, source};
    engine::collective(&mine, [](void* const* lanes, std::uint32_t active) {
        each<Lane<T>>(lanes, active, [&](Lane<T>& lane, int) {
            if (lane.source >= 0 && lane.source < int(kLanes) && active >> lane.source & 1) {
                lane.result = static_cast<Lane<T>*>(lanes[lane.source])->value;
            } else {
                poison(lane.result);
                if (lane.source >= int(kLanes) || engine::is_live(unsigned(lane.source)))
                    engine::fault("divergent collective", "a lane reads the value of one that takes no part");
            }
        });
    });
    return mine.result;
}

// Combine in a tree, as the hardware would: lane i with lane i ^ 1, then pairs, and so on. 16-bit floats add up in
// float and round once.
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

template <class T, class F>
inline T reduce(T value, F) {
    using W = typename wide<T>::type;
    Lane<T> mine{value, value, 0};
    engine::collective(&mine, [](void* const* lanes, std::uint32_t active) {
        W values[kLanes];
        bool there[kLanes];
        for (uint i = 0; i < kLanes; ++i) {
            there[i] = active >> i & 1;
            if (there[i]) values[i] = W(static_cast<Lane<T>*>(lanes[i])->value);
        }
        for (uint step = 1; step < kLanes; step *= 2)
            for (uint i = 0; i < kLanes; i += 2 * step) {
                if (!there[i + step]) continue;
                values[i] = there[i] ? W(F{}(values[i], values[i + step])) : values[i + step];
                there[i] = true;
            }
        each<Lane<T>>(lanes, active, [&](Lane<T>& lane, int) { lane.result = T(values[0]); });
    });
    return mine.result;
}

template <class T, class F>
inline T scan(T value, F, bool inclusive, T identity) {
    struct L {
        T value, result;
        bool inclusive;
    } mine{value, identity, inclusive};
    engine::collective(&mine, [](void* const* lanes, std::uint32_t active) {
        using W = typename wide<T>::type;
        W sum{};
        bool first = true;
        each<L>(lanes, active, [&](L& lane, int) {
            const W before = sum;
            sum = first ? W(lane.value) : W(F{}(sum, W(lane.value)));
            if (lane.inclusive) {
                lane.result = T(sum);
            } else if (!first) {
                lane.result = T(before);
            }
            first = false;
        });
    });
    return mine.result;
}

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

inline std::uint32_t votes(bool yes) {
    Lane<std::uint32_t> mine{yes, 0, 0};
    engine::collective(&mine, [](void* const* lanes, std::uint32_t active) {
        using L = Lane<std::uint32_t>;
        std::uint32_t all = 0;
        each<L>(lanes, active, [&](L& lane, int i) { all |= lane.value << i; });
        each<L>(lanes, active, [&](L& lane, int) { lane.result = all; });
    });
    return mine.result;
}

}  // namespace detail

class simd_vote {
public:
    using vote_t = std::uint64_t;
    explicit constexpr simd_vote(vote_t votes = 0) : votes_(votes) {}
    explicit constexpr operator vote_t() const { return votes_; }
    bool all() const { return votes_ == engine::active_lanes(); }
    bool any() const { return votes_ != 0; }

private:
    vote_t votes_;
};

inline simd_vote simd_ballot(bool yes) { return simd_vote(detail::votes(yes)); }
inline simd_vote simd_active_threads_mask() { return simd_vote(engine::active_lanes()); }
inline bool simd_any(bool yes) { return detail::votes(yes) != 0; }
inline bool simd_all(bool yes) { return detail::votes(!yes) == 0; }
inline bool simd_is_first() { return unsigned(__builtin_ctz(engine::active_lanes())) == engine::lane(); }
inline bool simd_is_helper_thread() { return false; }

#define MSL_REDUCE(name, F)                                     \
    template <class V>                                          \
    inline auto simd_##name(const V& value) {                   \
        return detail::reduce(detail::plain(value), detail::F{}); \
    }
MSL_REDUCE(sum, Plus)
MSL_REDUCE(product, Times)
MSL_REDUCE(min, Least)
MSL_REDUCE(max, Most)
MSL_REDUCE(and, And)
MSL_REDUCE(or, Or)
MSL_REDUCE(xor, Xor)
#undef MSL_REDUCE

#define MSL_SCAN(name, F, identity)                                                                         \
    template <class V>                                                                                      \
    inline auto simd_prefix_inclusive_##name(const V& value) {                                              \
        const auto v = detail::plain(value);                                                                \
        return detail::scan(v, detail::F{}, true, decltype(detail::plain(value))(identity));                \
    }                                                                                                       \
    template <class V>                                                                                      \
    inline auto simd_prefix_exclusive_##name(const V& value) {                                              \
        const auto v = detail::plain(value);                                                                \
        return detail::scan(v, detail::F{}, false, decltype(detail::plain(value))(identity));               \
    }
MSL_SCAN(sum, Plus, 0)
MSL_SCAN(product, Times, 1)
#undef MSL_SCAN

// Shuffles. `lane`, `delta` and `mask` may differ per lane here; Metal wants the last two uniform.
template <class V>
inline auto simd_shuffle(const V& value, ushort lane) {
    return detail::read_lane(detail::plain(value), lane);
}
template <class V>
inline auto simd_broadcast(const V& value, ushort lane) {
    return detail::read_lane(detail::plain(value), lane);
}
template <class V>
inline auto simd_broadcast_first(const V& value) {
    detail::Lane<decltype(detail::plain(value))> mine{value, value, 0};
    engine::collective(&mine, [](void* const* lanes, std::uint32_t active) {
        using L = decltype(mine);
        const auto first = static_cast<L*>(lanes[__builtin_ctz(active)])->value;
        detail::each<L>(lanes, active, [&](L& lane, int) { lane.result = first; });
    });
    return mine.result;
}
template <class V>
inline auto simd_shuffle_xor(const V& value, ushort mask) {
    return detail::read_lane(detail::plain(value), int(engine::lane() ^ mask));
}
// Lanes whose source would lie outside keep their value.
template <class V>
inline auto simd_shuffle_up(const V& value, ushort delta) {
    const int lane = int(engine::lane()), source = lane - delta;
    return detail::read_lane(detail::plain(value), source < 0 ? lane : source);
}
template <class V>
inline auto simd_shuffle_down(const V& value, ushort delta) {
    const int lane = int(engine::lane()), source = lane + delta;
    return detail::read_lane(detail::plain(value), source >= int(kLanes) ? lane : source);
}
template <class V>
inline auto simd_shuffle_rotate_up(const V& value, ushort delta) {
    return detail::read_lane(detail::plain(value), int((engine::lane() - delta) % kLanes));
}
template <class V>
inline auto simd_shuffle_rotate_down(const V& value, ushort delta) {
    return detail::read_lane(detail::plain(value), int((engine::lane() + delta) % kLanes));
}

// Within segments of `modulo` lanes, the lanes with no source take from the other end of `filling`.
template <class V>
inline auto simd_shuffle_and_fill_up(const V& value, const V& filling, ushort delta, ushort modulo = kLanes) {
    const int lane = int(engine::lane()), base = lane / modulo * modulo, source = lane - delta;
    const auto moved = detail::read_lane(detail::plain(value), source < base ? lane : source);
    const auto filled = detail::read_lane(detail::plain(filling), source < base ? source + modulo : lane);
    return source < base ? filled : moved;
}
template <class V>
inline auto simd_shuffle_and_fill_down(const V& value, const V& filling, ushort delta, ushort modulo = kLanes) {
    const int lane = int(engine::lane()), end = lane / modulo * modulo + modulo, source = lane + delta;
    const auto moved = detail::read_lane(detail::plain(value), source >= end ? lane : source);
    const auto filled = detail::read_lane(detail::plain(filling), source >= end ? source - modulo : lane);
    return source >= end ? filled : moved;
}

// Quadgroups: four lanes in a row.
namespace detail {
inline int quad_base() { return int(engine::lane() & ~3u); }

template <class T, class F>
inline T quad_reduce(T value, F) {
    Lane<T> mine{value, value, 0};
    engine::collective(&mine, [](void* const* lanes, std::uint32_t active) {
        each<Lane<T>>(lanes, active, [&](Lane<T>& lane, int i) {
            bool first = true;
            T sum{};
            for (int j = i & ~3; j < (i & ~3) + 4; ++j) {
                if (!(active >> j & 1)) continue;
                const T other = static_cast<Lane<T>*>(lanes[j])->value;
                sum = first ? other : T(F{}(sum, other));
                first = false;
            }
            lane.result = sum;
        });
    });
    return mine.result;
}
}  // namespace detail

#define MSL_REDUCE(name, F)                                          \
    template <class V>                                               \
    inline auto quad_##name(const V& value) {                        \
        return detail::quad_reduce(detail::plain(value), detail::F{}); \
    }
MSL_REDUCE(sum, Plus)
MSL_REDUCE(product, Times)
MSL_REDUCE(min, Least)
MSL_REDUCE(max, Most)
MSL_REDUCE(and, And)
MSL_REDUCE(or, Or)
MSL_REDUCE(xor, Xor)
#undef MSL_REDUCE
template <class V>
inline auto quad_broadcast(const V& value, ushort lane) {
    return detail::read_lane(detail::plain(value), detail::quad_base() + lane);
}
template <class V>
inline auto quad_shuffle(const V& value, ushort lane) {
    return detail::read_lane(detail::plain(value), detail::quad_base() + lane);
}
template <class V>
inline auto quad_shuffle_xor(const V& value, ushort mask) {
    return detail::read_lane(detail::plain(value), int(engine::lane() ^ mask));
}
template <class V>
inline auto quad_shuffle_up(const V& value, ushort delta) {
    const int lane = int(engine::lane()), source = lane - delta;
    return detail::read_lane(detail::plain(value), source < detail::quad_base() ? lane : source);
}
template <class V>
inline auto quad_shuffle_down(const V& value, ushort delta) {
    const int lane = int(engine::lane()), source = lane + delta;
    return detail::read_lane(detail::plain(value), source >= detail::quad_base() + 4 ? lane : source);
}
inline bool quad_any(bool yes) { return (detail::votes(yes) >> detail::quad_base() & 15u) != 0; }
inline bool quad_all(bool yes) { return (detail::votes(!yes) >> detail::quad_base() & 15u) == 0; }

}  // namespace metal
