// Simdgroup and quadgroup functions, of what lanes exchange (lanes.h).
#pragma once
#include "lanes.h"

namespace metal {

namespace detail {
template <class T>
inline T plain(const T& value) {
    return value;
}
template <class V>
    requires _Vector<V>
inline vec_of<V> plain(const V& value) {
    return value;
}
}  // namespace detail

class simd_vote {
public:
    using vote_t = std::uint64_t;
    explicit constexpr simd_vote(vote_t votes = 0) : votes_(votes) {}
    explicit constexpr operator vote_t() const { return votes_; }
    bool all() const { return votes_ == detail::present(); }
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

#define MSL_REDUCE(name, F)                                                    \
    template <class V>                                                         \
    inline auto simd_##name(const V& value) {                                  \
        return detail::reduce<kLanes>(detail::plain(value), detail::F{});      \
    }                                                                          \
    template <class V>                                                         \
    inline auto quad_##name(const V& value) {                                  \
        return detail::reduce<4>(detail::plain(value), detail::F{});           \
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
    return detail::read_first_lane(detail::plain(value));
}
template <class V>
inline auto simd_shuffle_xor(const V& value, ushort mask) {
    return detail::read_xor(detail::plain(value), mask);
}
// Lanes whose source would lie outside keep their value.
template <class V>
inline auto simd_shuffle_up(const V& value, ushort delta) {
    return detail::read_below(detail::plain(value), delta);
}
template <class V>
inline auto simd_shuffle_down(const V& value, ushort delta) {
    return detail::read_above(detail::plain(value), delta);
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

namespace detail {
inline int quad_base() { return int(engine::lane() & ~3u); }
}  // namespace detail
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
    return simd_shuffle_xor(value, mask);
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
