// What lanes exchange: each brings its data to one of the engine's collectives, of which the last one computes all
// results. A value from a lane that takes no part is all ones (NaN), so that a use shows; where that lane is alive
// but elsewhere, it is a fault.
#pragma once
#include "combine.h"

namespace metal {
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

inline std::uint32_t present() { return engine::active_lanes(); }

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

template <class T>
inline T read_first_lane(T value) {
    Lane<T> mine{value, value, 0};
    engine::collective(&mine, [](void* const* lanes, std::uint32_t active) {
        const T first = static_cast<Lane<T>*>(lanes[__builtin_ctz(active)])->value;
        each<Lane<T>>(lanes, active, [&](Lane<T>& lane, int) { lane.result = first; });
    });
    return mine.result;
}

// Lanes whose source would lie outside keep their value.
template <class T>
inline T read_above(T value, uint delta) {
    const int lane = int(engine::lane()), source = lane + int(delta);
    return read_lane(value, source >= int(kLanes) ? lane : source);
}
template <class T>
inline T read_below(T value, uint delta) {
    const int lane = int(engine::lane()), source = lane - int(delta);
    return read_lane(value, source < 0 ? lane : source);
}
template <class T>
inline T read_xor(T value, uint mask) {
    return read_lane(value, int(engine::lane() ^ mask));
}

// Within each `Width` lanes, in a tree, as the hardware would: lane i with lane i ^ 1, then pairs, and so on.
template <uint Width, class T, class F>
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
        for (uint step = 1; step < Width; step *= 2)
            for (uint i = 0; i < kLanes; i += 2 * step) {
                if (!there[i + step]) continue;
                values[i] = there[i] ? W(F{}(values[i], values[i + step])) : values[i + step];
                there[i] = true;
            }
        each<Lane<T>>(lanes, active, [&](Lane<T>& lane, int i) { lane.result = T(values[uint(i) / Width * Width]); });
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
}  // namespace metal
