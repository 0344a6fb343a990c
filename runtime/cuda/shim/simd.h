// Simdgroup and quadgroup functions on warps. All 32 lanes of a simdgroup are taken to arrive, as in a full-mask
// shuffle of CUDA; lanes that have ended or do not exist count as absent.
#pragma once

namespace metal {

inline constexpr uint kLanes = engine::kSimd;

namespace detail {

inline constexpr unsigned kAll = ~0u;
inline unsigned lane() { return engine::lane(); }
inline unsigned present() { return __ballot_sync(kAll, 1); }

template <class T>
inline T plain(const T& value) {
    return value;
}
template <class V>
    requires _Vector<V>
inline vec_of<V> plain(const V& value) {
    return value;
}

// A value moved between lanes word by word: `move` does it for one.
template <class T, class Move>
inline T by_words(T value, Move move) {
    if constexpr (sizeof(T) < 4) {
        unsigned word = 0;
        memcpy(&word, &value, sizeof(T));
        word = move(word);
        memcpy(&value, &word, sizeof(T));
    } else if constexpr (sizeof(T) == 4) {
        value = __builtin_bit_cast(T, move(__builtin_bit_cast(unsigned, value)));
    } else {
        unsigned words[sizeof(T) / 4];
        memcpy(words, &value, sizeof(T));
#pragma unroll
        for (unsigned& word : words) word = move(word);
        memcpy(&value, words, sizeof(T));
    }
    return value;
}
// The value of lane `source` (each lane names its own).
template <class T>
inline T read_lane(T value, int source) {
    return by_words(value, [=](unsigned word) { return __shfl_sync(kAll, word, source); });
}

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

// In a tree: lane i with lane i ^ 1, then pairs, and so on; within `Width` lanes.
template <unsigned Width, class T, class F>
inline T reduce(T value, F f) {
    using W = typename wide<T>::type;
    W sum = W(value);
    const unsigned there = present();
    if (there == kAll) {
#pragma unroll
        for (unsigned step = 1; step < Width; step *= 2) sum = W(f(sum, by_words(sum, [=](unsigned word) { return __shfl_xor_sync(kAll, word, step); })));
        return T(sum);
    }
    const unsigned base = lane() & ~(Width - 1);
    bool first = true;
    for (unsigned i = 0; i < Width; ++i) {
        const W other = read_lane(W(value), int(base + i));
        if (!(there >> (base + i) & 1)) continue;
        sum = first ? other : W(f(sum, other));
        first = false;
    }
    return T(sum);
}

template <class T, class F>
inline T scan(T value, F f, bool inclusive, T identity) {
    using W = typename wide<T>::type;
    const unsigned there = present();
    W sum = W(identity);
    for (unsigned i = 0; i < kLanes; ++i) {
        const W other = read_lane(W(value), int(i));
        if ((there >> i & 1) && (inclusive ? i <= lane() : i < lane())) sum = W(f(sum, other));
    }
    return T(sum);
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
struct And {
    template <class A>
    auto operator()(const A& a, const A& b) const { return a & b; }
};
struct Or {
    template <class A>
    auto operator()(const A& a, const A& b) const { return a | b; }
};
struct Xor {
    template <class A>
    auto operator()(const A& a, const A& b) const { return a ^ b; }
};

inline unsigned votes(bool yes) { return __ballot_sync(kAll, yes); }

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
inline bool simd_is_first() { return unsigned(__ffs(int(engine::active_lanes())) - 1) == engine::lane(); }
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
    return detail::read_lane(detail::plain(value), __ffs(int(detail::present())) - 1);
}
template <class V>
inline auto simd_shuffle_xor(const V& value, ushort mask) {
    return detail::by_words(detail::plain(value), [=](unsigned word) { return __shfl_xor_sync(detail::kAll, word, mask); });
}
// Lanes whose source would lie outside keep their value.
template <class V>
inline auto simd_shuffle_up(const V& value, ushort delta) {
    return detail::by_words(detail::plain(value), [=](unsigned word) { return __shfl_up_sync(detail::kAll, word, delta); });
}
template <class V>
inline auto simd_shuffle_down(const V& value, ushort delta) {
    return detail::by_words(detail::plain(value), [=](unsigned word) { return __shfl_down_sync(detail::kAll, word, delta); });
}
template <class V>
inline auto simd_shuffle_rotate_up(const V& value, ushort delta) {
    return detail::read_lane(detail::plain(value), int((detail::lane() - delta) % kLanes));
}
template <class V>
inline auto simd_shuffle_rotate_down(const V& value, ushort delta) {
    return detail::read_lane(detail::plain(value), int((detail::lane() + delta) % kLanes));
}

// Within segments of `modulo` lanes, the lanes with no source take from the other end of `filling`.
template <class V>
inline auto simd_shuffle_and_fill_up(const V& value, const V& filling, ushort delta, ushort modulo = kLanes) {
    const int lane = int(detail::lane()), base = lane / modulo * modulo, source = lane - delta;
    const auto moved = detail::read_lane(detail::plain(value), source < base ? lane : source);
    const auto filled = detail::read_lane(detail::plain(filling), source < base ? source + modulo : lane);
    return source < base ? filled : moved;
}
template <class V>
inline auto simd_shuffle_and_fill_down(const V& value, const V& filling, ushort delta, ushort modulo = kLanes) {
    const int lane = int(detail::lane()), end = lane / modulo * modulo + modulo, source = lane + delta;
    const auto moved = detail::read_lane(detail::plain(value), source >= end ? lane : source);
    const auto filled = detail::read_lane(detail::plain(filling), source >= end ? source - modulo : lane);
    return source >= end ? filled : moved;
}

namespace detail {
inline int quad_base() { return int(lane() & ~3u); }
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
    const int lane = int(detail::lane()), source = lane - delta;
    return detail::read_lane(detail::plain(value), source < detail::quad_base() ? lane : source);
}
template <class V>
inline auto quad_shuffle_down(const V& value, ushort delta) {
    const int lane = int(detail::lane()), source = lane + delta;
    return detail::read_lane(detail::plain(value), source >= detail::quad_base() + 4 ? lane : source);
}
inline bool quad_any(bool yes) { return (detail::votes(yes) >> detail::quad_base() & 15u) != 0; }
inline bool quad_all(bool yes) { return (detail::votes(!yes) >> detail::quad_base() & 15u) == 0; }

}  // namespace metal
