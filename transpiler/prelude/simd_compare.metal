// Comparisons of SIMD in a word: __vcmp answers all ones or zeros in each lane, __vset 1 or 0.
namespace cu {

// What each relation makes of two lanes: all ones where it holds.
struct lane_equal {
    static int of(int x, int y, int, int) {
        return x == y ? -1 : 0;
    }
};

// __vcmpeq, __vseteq
inline uint vcmpeq2(uint a, uint b) {
    return each_lane<lane_equal, 16, false>(a, b);
}
inline uint vcmpeq4(uint a, uint b) {
    return each_lane<lane_equal, 8, false>(a, b);
}
inline uint vseteq2(uint a, uint b) {
    return vcmpeq2(a, b) & 0x00010001u;
}
inline uint vseteq4(uint a, uint b) {
    return vcmpeq4(a, b) & 0x01010101u;
}

struct lane_unequal {
    static int of(int x, int y, int, int) {
        return x != y ? -1 : 0;
    }
};

// __vcmpne, __vsetne
inline uint vcmpne2(uint a, uint b) {
    return each_lane<lane_unequal, 16, false>(a, b);
}
inline uint vcmpne4(uint a, uint b) {
    return each_lane<lane_unequal, 8, false>(a, b);
}
inline uint vsetne2(uint a, uint b) {
    return vcmpne2(a, b) & 0x00010001u;
}
inline uint vsetne4(uint a, uint b) {
    return vcmpne4(a, b) & 0x01010101u;
}

struct lane_at_least {
    static int of(int x, int y, int, int) {
        return x >= y ? -1 : 0;
    }
};

// __vcmpges, __vsetges
inline uint vcmpges2(uint a, uint b) {
    return each_lane<lane_at_least, 16, true>(a, b);
}
inline uint vcmpges4(uint a, uint b) {
    return each_lane<lane_at_least, 8, true>(a, b);
}
inline uint vsetges2(uint a, uint b) {
    return vcmpges2(a, b) & 0x00010001u;
}
inline uint vsetges4(uint a, uint b) {
    return vcmpges4(a, b) & 0x01010101u;
}
// __vcmpgeu, __vsetgeu
inline uint vcmpgeu2(uint a, uint b) {
    return each_lane<lane_at_least, 16, false>(a, b);
}
inline uint vcmpgeu4(uint a, uint b) {
    return each_lane<lane_at_least, 8, false>(a, b);
}
inline uint vsetgeu2(uint a, uint b) {
    return vcmpgeu2(a, b) & 0x00010001u;
}
inline uint vsetgeu4(uint a, uint b) {
    return vcmpgeu4(a, b) & 0x01010101u;
}

struct lane_above {
    static int of(int x, int y, int, int) {
        return x > y ? -1 : 0;
    }
};

// __vcmpgts, __vsetgts
inline uint vcmpgts2(uint a, uint b) {
    return each_lane<lane_above, 16, true>(a, b);
}
inline uint vcmpgts4(uint a, uint b) {
    return each_lane<lane_above, 8, true>(a, b);
}
inline uint vsetgts2(uint a, uint b) {
    return vcmpgts2(a, b) & 0x00010001u;
}
inline uint vsetgts4(uint a, uint b) {
    return vcmpgts4(a, b) & 0x01010101u;
}
// __vcmpgtu, __vsetgtu
inline uint vcmpgtu2(uint a, uint b) {
    return each_lane<lane_above, 16, false>(a, b);
}
inline uint vcmpgtu4(uint a, uint b) {
    return each_lane<lane_above, 8, false>(a, b);
}
inline uint vsetgtu2(uint a, uint b) {
    return vcmpgtu2(a, b) & 0x00010001u;
}
inline uint vsetgtu4(uint a, uint b) {
    return vcmpgtu4(a, b) & 0x01010101u;
}

struct lane_at_most {
    static int of(int x, int y, int, int) {
        return x <= y ? -1 : 0;
    }
};

// __vcmples, __vsetles
inline uint vcmples2(uint a, uint b) {
    return each_lane<lane_at_most, 16, true>(a, b);
}
inline uint vcmples4(uint a, uint b) {
    return each_lane<lane_at_most, 8, true>(a, b);
}
inline uint vsetles2(uint a, uint b) {
    return vcmples2(a, b) & 0x00010001u;
}
inline uint vsetles4(uint a, uint b) {
    return vcmples4(a, b) & 0x01010101u;
}
// __vcmpleu, __vsetleu
inline uint vcmpleu2(uint a, uint b) {
    return each_lane<lane_at_most, 16, false>(a, b);
}
inline uint vcmpleu4(uint a, uint b) {
    return each_lane<lane_at_most, 8, false>(a, b);
}
inline uint vsetleu2(uint a, uint b) {
    return vcmpleu2(a, b) & 0x00010001u;
}
inline uint vsetleu4(uint a, uint b) {
    return vcmpleu4(a, b) & 0x01010101u;
}

struct lane_below {
    static int of(int x, int y, int, int) {
        return x < y ? -1 : 0;
    }
};

// __vcmplts, __vsetlts
inline uint vcmplts2(uint a, uint b) {
    return each_lane<lane_below, 16, true>(a, b);
}
inline uint vcmplts4(uint a, uint b) {
    return each_lane<lane_below, 8, true>(a, b);
}
inline uint vsetlts2(uint a, uint b) {
    return vcmplts2(a, b) & 0x00010001u;
}
inline uint vsetlts4(uint a, uint b) {
    return vcmplts4(a, b) & 0x01010101u;
}
// __vcmpltu, __vsetltu
inline uint vcmpltu2(uint a, uint b) {
    return each_lane<lane_below, 16, false>(a, b);
}
inline uint vcmpltu4(uint a, uint b) {
    return each_lane<lane_below, 8, false>(a, b);
}
inline uint vsetltu2(uint a, uint b) {
    return vcmpltu2(a, b) & 0x00010001u;
}
inline uint vsetltu4(uint a, uint b) {
    return vcmpltu4(a, b) & 0x01010101u;
}

}  // namespace cu
