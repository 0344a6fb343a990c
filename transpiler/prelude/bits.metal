// Integer and bit intrinsics. Plain C++ on 32- and 64-bit words; wrap-around as in CUDA.
namespace cu {

// A value's bits as another type of the same size (__float_as_int, __int_as_float, __short_as_half ...).
template <typename To, typename From>
inline To bit_cast(From value) {
    return as_type<To>(value);
}

// __double_as_longlong and its kin on the 64-bit integers Metal has: (high << 32) | low.
inline long hiloint2longlong(int high, int low) {
    return (long(high) << 32) | long(uint(low));
}

// __funnelshift_l: the high word of (high:low) << (shift & 31).
inline uint funnelshift_l(uint low, uint high, uint shift) {
    shift &= 31u;
    return shift == 0u ? high : (high << shift) | (low >> (32u - shift));
}

// __funnelshift_lc: the same with shift clamped to 32.
inline uint funnelshift_lc(uint low, uint high, uint shift) {
    return shift >= 32u ? low : funnelshift_l(low, high, shift);
}

// __funnelshift_r: the low word of (high:low) >> (shift & 31).
inline uint funnelshift_r(uint low, uint high, uint shift) {
    shift &= 31u;
    return shift == 0u ? low : (low >> shift) | (high << (32u - shift));
}

// __funnelshift_rc: the same with shift clamped to 32.
inline uint funnelshift_rc(uint low, uint high, uint shift) {
    return shift >= 32u ? high : funnelshift_r(low, high, shift);
}

// __byte_perm: each selector nibble picks a byte of (b:a); its top bit replicates that byte's sign (PRMT).
inline uint byte_perm(uint a, uint b, uint selector) {
    uint result = 0u;
    for (uint lane = 0u; lane < 4u; ++lane) {
        uint pick = (selector >> (4u * lane)) & 15u;
        uint word = (pick & 4u) ? b : a;
        uint byte = (word >> (8u * (pick & 3u))) & 255u;
        if (pick & 8u) byte = (byte & 128u) ? 255u : 0u;
        result |= byte << (8u * lane);
    }
    return result;
}

// __brev, __brevll
inline uint brev(uint x) {
    return metal::reverse_bits(x);
}
inline ulong brevll(ulong x) {
    return (ulong(metal::reverse_bits(uint(x))) << 32) | ulong(metal::reverse_bits(uint(x >> 32)));
}

// __nv_bswap16, 32, 64: bytes reversed.
inline ushort bswap16(ushort x) {
    return ushort((x >> 8) | (x << 8));
}
inline uint bswap32(uint x) {
    return byte_perm(x, 0u, 0x0123u);
}
inline ulong bswap64(ulong x) {
    return (ulong(bswap32(uint(x))) << 32) | ulong(bswap32(uint(x >> 32)));
}

// __clz, __clzll: 32 and 64 for 0.
inline int clz(int x) {
    return int(metal::clz(uint(x)));
}
inline int clzll(long x) {
    uint high = uint(ulong(x) >> 32);
    return high != 0u ? int(metal::clz(high)) : 32 + int(metal::clz(uint(x)));
}

// __ffs, __ffsll: 1-based position of the lowest set bit, 0 for 0.
inline int ffs(int x) {
    return x == 0 ? 0 : int(metal::ctz(uint(x))) + 1;
}
inline int ffsll(long x) {
    uint low = uint(x);
    uint high = uint(ulong(x) >> 32);
    return low != 0u ? ffs(int(low)) : (high != 0u ? 32 + ffs(int(high)) : 0);
}

// __popc, __popcll
inline int popc(uint x) {
    return int(metal::popcount(x));
}
inline int popcll(ulong x) {
    return int(metal::popcount(uint(x))) + int(metal::popcount(uint(x >> 32)));
}

// __fns: position of the offset-th set bit counted from base upwards (offset > 0) or downwards (< 0), else ~0.
inline uint fns(uint mask, uint base, int offset) {
    if (offset == 0) return (mask >> base) & 1u ? base : 0xffffffffu;
    int step = offset > 0 ? 1 : -1;
    int wanted = offset > 0 ? offset : -offset;
    for (int bit = int(base); bit >= 0 && bit < 32; bit += step) {
        if ((mask >> uint(bit)) & 1u) wanted -= 1;
        if (wanted == 0) return uint(bit);
    }
    return 0xffffffffu;
}

// __mul24, __umul24: the low 32 bits of the product of two 24-bit numbers (high bytes ignored).
inline int mul24(int a, int b) {
    return as_type<int>(uint((a << 8) >> 8) * uint((b << 8) >> 8));
}
inline uint umul24(uint a, uint b) {
    return (a & 0xffffffu) * (b & 0xffffffu);
}

// __mulhi, __umulhi, __mul64hi, __umul64hi: the high half of the product.
inline int mulhi(int a, int b) {
    return int((long(a) * long(b)) >> 32);
}
inline uint umulhi(uint a, uint b) {
    return uint((ulong(a) * ulong(b)) >> 32);
}
inline ulong umul64hi(ulong a, ulong b) {
    ulong a_low = a & 0xffffffffu, a_high = a >> 32;
    ulong b_low = b & 0xffffffffu, b_high = b >> 32;
    ulong middle = a_high * b_low + ((a_low * b_low) >> 32);
    ulong carry = a_low * b_high + (middle & 0xffffffffu);
    return a_high * b_high + (middle >> 32) + (carry >> 32);
}
inline long mul64hi(long a, long b) {
    ulong high = umul64hi(ulong(a), ulong(b));
    if (a < 0) high -= ulong(b);
    if (b < 0) high -= ulong(a);
    return long(high);
}

// __sad, __usad: |a - b| + c, the difference taken without overflow.
inline uint sad(int a, int b, uint c) {
    return (a > b ? uint(a) - uint(b) : uint(b) - uint(a)) + c;
}
inline uint usad(uint a, uint b, uint c) {
    return (a > b ? a - b : b - a) + c;
}

// __hadd, __uhadd, __rhadd, __urhadd on integers: averages without overflow, rounded down or up.
inline int ihadd(int a, int b) {
    return int((long(a) + long(b)) >> 1);
}
inline uint uhadd(uint a, uint b) {
    return (a & b) + ((a ^ b) >> 1);
}
inline int rhadd(int a, int b) {
    return int((long(a) + long(b) + 1) >> 1);
}
inline uint urhadd(uint a, uint b) {
    return (a | b) - ((a ^ b) >> 1);
}

// __dp4a: c plus the dot product of four bytes, signed or unsigned by the types of a and b.
inline int dp4a(int a, int b, int c) {
    uint sum = uint(c);
    for (uint shift = 0u; shift < 32u; shift += 8u) {
        sum += uint(((a << (24u - shift)) >> 24) * ((b << (24u - shift)) >> 24));
    }
    return as_type<int>(sum);
}
inline uint dp4a(uint a, uint b, uint c) {
    for (uint shift = 0u; shift < 32u; shift += 8u) c += ((a >> shift) & 255u) * ((b >> shift) & 255u);
    return c;
}
inline int dp4a(char4 a, char4 b, int c) {
    return dp4a(as_type<int>(a), as_type<int>(b), c);
}
inline uint dp4a(uchar4 a, uchar4 b, uint c) {
    return dp4a(as_type<uint>(a), as_type<uint>(b), c);
}

// __dp2a_lo, __dp2a_hi: c plus a's two 16-bit halves times the low or high two bytes of b.
inline int dp2a_lo(int a, int b, int c) {
    uint sum = uint(c) + uint(((a << 16) >> 16) * ((b << 24) >> 24));
    return as_type<int>(sum + uint((a >> 16) * ((b << 16) >> 24)));
}
inline uint dp2a_lo(uint a, uint b, uint c) {
    return c + (a & 0xffffu) * (b & 255u) + (a >> 16) * ((b >> 8) & 255u);
}
inline int dp2a_lo(short2 a, char4 b, int c) {
    return dp2a_lo(as_type<int>(a), as_type<int>(b), c);
}
inline uint dp2a_lo(ushort2 a, uchar4 b, uint c) {
    return dp2a_lo(as_type<uint>(a), as_type<uint>(b), c);
}
inline int dp2a_hi(int a, int b, int c) {
    return dp2a_lo(a, b >> 16, c);
}
inline uint dp2a_hi(uint a, uint b, uint c) {
    return dp2a_lo(a, b >> 16, c);
}
inline int dp2a_hi(short2 a, char4 b, int c) {
    return dp2a_hi(as_type<int>(a), as_type<int>(b), c);
}
inline uint dp2a_hi(ushort2 a, uchar4 b, uint c) {
    return dp2a_hi(as_type<uint>(a), as_type<uint>(b), c);
}

// bfe.u32, bfe.s32, bfi.b32 (PTX): extract and insert `length` bits at `start`, both clamped to 0...255.
inline uint bfe(uint x, uint start, uint length) {
    start &= 255u;
    length &= 255u;
    uint shifted = start < 32u ? x >> start : 0u;
    return length >= 32u ? shifted : shifted & ((1u << length) - 1u);
}
inline int bfe(int x, uint start, uint length) {
    start &= 255u;
    length &= 255u;
    if (length == 0u) return 0;
    uint top = metal::min(start + length - 1u, 31u);
    int shifted = start < 32u ? x >> start : x >> 31;
    if (length >= 32u || start >= 32u) return shifted;
    uint unused = 31u - (top - start);
    return (as_type<int>(as_type<uint>(shifted) << unused)) >> unused;
}
inline uint bfi(uint inserted, uint x, uint start, uint length) {
    start &= 255u;
    length &= 255u;
    if (start >= 32u || length == 0u) return x;
    uint mask = (length >= 32u ? 0xffffffffu : (1u << length) - 1u) << start;
    return (x & ~mask) | ((inserted << start) & mask);
}

// lop3.b32 (PTX): any boolean function of three words; bit (4a + 2b + c) of `table` is its value.
inline uint lop3(uint a, uint b, uint c, uint table) {
    uint result = 0u;
    if (table & 1u) result |= ~a & ~b & ~c;
    if (table & 2u) result |= ~a & ~b & c;
    if (table & 4u) result |= ~a & b & ~c;
    if (table & 8u) result |= ~a & b & c;
    if (table & 16u) result |= a & ~b & ~c;
    if (table & 32u) result |= a & ~b & c;
    if (table & 64u) result |= a & b & ~c;
    if (table & 128u) result |= a & b & c;
    return result;
}

}  // namespace cu
