// What lanes exchange, by shuffles. All 32 lanes of a simdgroup are taken to be at the same shuffle of CUDA; lanes that
// have ended or do not exist count as absent.
#pragma once

namespace metal {
namespace detail {

inline constexpr unsigned kAll = ~0u;
inline unsigned present() { return __ballot_sync(kAll, 1); }
inline unsigned votes(bool yes) { return __ballot_sync(kAll, yes); }

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

template <class T>
inline T read_first_lane(T value) {
    return read_lane(value, __ffs(int(present())) - 1);
}

// Lanes whose source would lie outside keep their value.
template <class T>
inline T read_above(T value, uint delta) {
    return by_words(value, [=](unsigned word) { return __shfl_down_sync(kAll, word, delta); });
}
template <class T>
inline T read_below(T value, uint delta) {
    return by_words(value, [=](unsigned word) { return __shfl_up_sync(kAll, word, delta); });
}
template <class T>
inline T read_xor(T value, uint mask) {
    return by_words(value, [=](unsigned word) { return __shfl_xor_sync(kAll, word, mask); });
}

// In a tree: lane i with lane i ^ 1, then pairs, and so on; within `Width` lanes.
template <unsigned Width, class T, class F>
inline T reduce(T value, F f) {
    using W = typename wide<T>::type;
    W sum = W(value);
    const unsigned there = present();
    if (there == kAll) {
#pragma unroll
        for (unsigned step = 1; step < Width; step *= 2) sum = W(f(sum, read_xor(sum, step)));
        return T(sum);
    }
    const unsigned base = engine::lane() & ~(Width - 1);
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
        if ((there >> i & 1) && (inclusive ? i <= engine::lane() : i < engine::lane())) sum = W(f(sum, other));
    }
    return T(sum);
}

}  // namespace detail
}  // namespace metal
