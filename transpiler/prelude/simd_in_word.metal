// SIMD in a word: a uint as two 16-bit or four 8-bit lanes, signed or unsigned.
namespace cu {

// Applies Op to each lane of Bits bits. Op sees the lanes as int, and the lowest and highest number of a lane;
// what it returns wraps.
template <typename Op, uint Bits, bool Signed>
inline uint each_lane(uint a, uint b) {
    const int high = Signed ? int((1u << (Bits - 1u)) - 1u) : int((1u << Bits) - 1u);
    const int low = Signed ? -high - 1 : 0;
    uint result = 0u;
    for (uint shift = 0u; shift < 32u; shift += Bits) {
        uint x = a << (32u - Bits - shift);
        uint y = b << (32u - Bits - shift);
        int first = Signed ? as_type<int>(x) >> (32u - Bits) : int(x >> (32u - Bits));
        int second = Signed ? as_type<int>(y) >> (32u - Bits) : int(y >> (32u - Bits));
        result |= (uint(Op::of(first, second, low, high)) & ((1u << Bits) - 1u)) << shift;
    }
    return result;
}

// The sum of all lanes, unsigned.
template <uint Bits>
inline uint lane_total(uint word) {
    uint total = 0u;
    for (uint shift = 0u; shift < 32u; shift += Bits) total += (word >> shift) & ((1u << Bits) - 1u);
    return total;
}


struct lane_sum {
    static int of(int x, int y, int, int) {
        return x + y;
    }
};

// __vadd2, __vadd4
inline uint vadd2(uint a, uint b) {
    return each_lane<lane_sum, 16, false>(a, b);
}
inline uint vadd4(uint a, uint b) {
    return each_lane<lane_sum, 8, false>(a, b);
}

struct lane_sum_saturated {
    static int of(int x, int y, int low, int high) {
        return metal::clamp(x + y, low, high);
    }
};

// __vaddss2, __vaddss4
inline uint vaddss2(uint a, uint b) {
    return each_lane<lane_sum_saturated, 16, true>(a, b);
}
inline uint vaddss4(uint a, uint b) {
    return each_lane<lane_sum_saturated, 8, true>(a, b);
}
// __vaddus2, __vaddus4
inline uint vaddus2(uint a, uint b) {
    return each_lane<lane_sum_saturated, 16, false>(a, b);
}
inline uint vaddus4(uint a, uint b) {
    return each_lane<lane_sum_saturated, 8, false>(a, b);
}

struct lane_difference {
    static int of(int x, int y, int, int) {
        return x - y;
    }
};

// __vsub2, __vsub4
inline uint vsub2(uint a, uint b) {
    return each_lane<lane_difference, 16, false>(a, b);
}
inline uint vsub4(uint a, uint b) {
    return each_lane<lane_difference, 8, false>(a, b);
}

struct lane_difference_saturated {
    static int of(int x, int y, int low, int high) {
        return metal::clamp(x - y, low, high);
    }
};

// __vsubss2, __vsubss4
inline uint vsubss2(uint a, uint b) {
    return each_lane<lane_difference_saturated, 16, true>(a, b);
}
inline uint vsubss4(uint a, uint b) {
    return each_lane<lane_difference_saturated, 8, true>(a, b);
}
// __vsubus2, __vsubus4
inline uint vsubus2(uint a, uint b) {
    return each_lane<lane_difference_saturated, 16, false>(a, b);
}
inline uint vsubus4(uint a, uint b) {
    return each_lane<lane_difference_saturated, 8, false>(a, b);
}

struct lane_average_from_zero {
    static int of(int x, int y, int, int) {
        return (x + y + (x + y >= 0 ? 1 : 0)) >> 1;
    }
};

// __vavgs2, __vavgs4
inline uint vavgs2(uint a, uint b) {
    return each_lane<lane_average_from_zero, 16, true>(a, b);
}
inline uint vavgs4(uint a, uint b) {
    return each_lane<lane_average_from_zero, 8, true>(a, b);
}

struct lane_average_up {
    static int of(int x, int y, int, int) {
        return (x + y + 1) >> 1;
    }
};

// __vavgu2, __vavgu4
inline uint vavgu2(uint a, uint b) {
    return each_lane<lane_average_up, 16, false>(a, b);
}
inline uint vavgu4(uint a, uint b) {
    return each_lane<lane_average_up, 8, false>(a, b);
}

struct lane_average_down {
    static int of(int x, int y, int, int) {
        return (x + y) >> 1;
    }
};

// __vhaddu2, __vhaddu4
inline uint vhaddu2(uint a, uint b) {
    return each_lane<lane_average_down, 16, false>(a, b);
}
inline uint vhaddu4(uint a, uint b) {
    return each_lane<lane_average_down, 8, false>(a, b);
}

struct lane_larger {
    static int of(int x, int y, int, int) {
        return metal::max(x, y);
    }
};

// __vmaxs2, __vmaxs4
inline uint vmaxs2(uint a, uint b) {
    return each_lane<lane_larger, 16, true>(a, b);
}
inline uint vmaxs4(uint a, uint b) {
    return each_lane<lane_larger, 8, true>(a, b);
}
// __vmaxu2, __vmaxu4
inline uint vmaxu2(uint a, uint b) {
    return each_lane<lane_larger, 16, false>(a, b);
}
inline uint vmaxu4(uint a, uint b) {
    return each_lane<lane_larger, 8, false>(a, b);
}

struct lane_lesser {
    static int of(int x, int y, int, int) {
        return metal::min(x, y);
    }
};

// __vmins2, __vmins4
inline uint vmins2(uint a, uint b) {
    return each_lane<lane_lesser, 16, true>(a, b);
}
inline uint vmins4(uint a, uint b) {
    return each_lane<lane_lesser, 8, true>(a, b);
}
// __vminu2, __vminu4
inline uint vminu2(uint a, uint b) {
    return each_lane<lane_lesser, 16, false>(a, b);
}
inline uint vminu4(uint a, uint b) {
    return each_lane<lane_lesser, 8, false>(a, b);
}

struct lane_distance {
    static int of(int x, int y, int, int) {
        return metal::abs(x - y);
    }
};

// __vabsdiffs2, __vabsdiffs4
inline uint vabsdiffs2(uint a, uint b) {
    return each_lane<lane_distance, 16, true>(a, b);
}
inline uint vabsdiffs4(uint a, uint b) {
    return each_lane<lane_distance, 8, true>(a, b);
}
// __vabsdiffu2, __vabsdiffu4
inline uint vabsdiffu2(uint a, uint b) {
    return each_lane<lane_distance, 16, false>(a, b);
}
inline uint vabsdiffu4(uint a, uint b) {
    return each_lane<lane_distance, 8, false>(a, b);
}

struct lane_magnitude {
    static int of(int x, int, int, int) {
        return x < 0 ? -x : x;
    }
};

// __vabs2, __vabs4
inline uint vabs2(uint a) {
    return each_lane<lane_magnitude, 16, true>(a, 0u);
}
inline uint vabs4(uint a) {
    return each_lane<lane_magnitude, 8, true>(a, 0u);
}

struct lane_magnitude_saturated {
    static int of(int x, int, int, int high) {
        return metal::min(x < 0 ? -x : x, high);
    }
};

// __vabsss2, __vabsss4
inline uint vabsss2(uint a) {
    return each_lane<lane_magnitude_saturated, 16, true>(a, 0u);
}
inline uint vabsss4(uint a) {
    return each_lane<lane_magnitude_saturated, 8, true>(a, 0u);
}

struct lane_negation {
    static int of(int x, int, int, int) {
        return -x;
    }
};

// __vneg2, __vneg4
inline uint vneg2(uint a) {
    return each_lane<lane_negation, 16, true>(a, 0u);
}
inline uint vneg4(uint a) {
    return each_lane<lane_negation, 8, true>(a, 0u);
}

struct lane_negation_saturated {
    static int of(int x, int, int, int high) {
        return metal::min(-x, high);
    }
};

// __vnegss2, __vnegss4
inline uint vnegss2(uint a) {
    return each_lane<lane_negation_saturated, 16, true>(a, 0u);
}
inline uint vnegss4(uint a) {
    return each_lane<lane_negation_saturated, 8, true>(a, 0u);
}
// __vsads2, __vsads4
inline uint vsads2(uint a, uint b) {
    return lane_total<16>(vabsdiffs2(a, b));
}
inline uint vsads4(uint a, uint b) {
    return lane_total<8>(vabsdiffs4(a, b));
}
// __vsadu2, __vsadu4
inline uint vsadu2(uint a, uint b) {
    return lane_total<16>(vabsdiffu2(a, b));
}
inline uint vsadu4(uint a, uint b) {
    return lane_total<8>(vabsdiffu4(a, b));
}

}  // namespace cu
