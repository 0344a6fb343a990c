// CUDA's integer intrinsics: bit counting, wide products, byte permutation, funnel shifts, dot products.
#pragma once
#include <cstdint>
#include "vector_types.h"

static inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned int)x); }
static inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline int __popc(unsigned int x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }

static inline unsigned long long __brevll(unsigned long long x) {
  x = ((x >> 1) & 0x5555555555555555ull) | ((x & 0x5555555555555555ull) << 1);
  x = ((x >> 2) & 0x3333333333333333ull) | ((x & 0x3333333333333333ull) << 2);
  x = ((x >> 4) & 0x0f0f0f0f0f0f0f0full) | ((x & 0x0f0f0f0f0f0f0f0full) << 4);
  return __builtin_bswap64(x);
}
static inline unsigned short __nv_bswap16(unsigned short x) { return __builtin_bswap16(x); }
static inline unsigned int __nv_bswap32(unsigned int x) { return __builtin_bswap32(x); }
static inline unsigned long long __nv_bswap64(unsigned long long x) { return __builtin_bswap64(x); }
static inline unsigned int __brev(unsigned int x) { return (unsigned int)(__brevll(x) >> 32); }

// The position of the n-th set bit (n > 0 counts up from base, n < 0 down), or 0xffffffff.
static inline unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
  int step = offset < 0 ? -1 : 1, left = offset < 0 ? -offset : offset;
  if (offset == 0) return base < 32 && ((mask >> base) & 1) ? base : 0xffffffffu;
  for (int bit = int(base); bit >= 0 && bit < 32; bit += step)
    if (((mask >> bit) & 1) && --left == 0) return (unsigned int)bit;
  return 0xffffffffu;
}

static inline int __mulhi(int a, int b) { return int(((long long)a * b) >> 32); }
static inline unsigned int __umulhi(unsigned int a, unsigned int b) {
  return (unsigned int)(((unsigned long long)a * b) >> 32);
}
static inline long long __mul64hi(long long a, long long b) { return (long long)(((__int128)a * b) >> 64); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}
static inline int __mul24(int a, int b) {
  long long product = (long long)(int)((unsigned)a << 8) / 256 * ((int)((unsigned)b << 8) / 256);
  return int((unsigned int)product);
}
static inline unsigned int __umul24(unsigned int a, unsigned int b) { return (a & 0xffffffu) * (b & 0xffffffu); }
static inline unsigned int __sad(int a, int b, unsigned int c) {
  return c + (unsigned int)(a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a);
}
static inline unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) { return c + (a > b ? a - b : b - a); }
static inline int __hadd(int a, int b) { return int(((long long)a + b) >> 1); }
static inline int __rhadd(int a, int b) { return int(((long long)a + b + 1) >> 1); }
static inline unsigned int __uhadd(unsigned int a, unsigned int b) {
  return (unsigned int)(((unsigned long long)a + b) >> 1);
}
static inline unsigned int __urhadd(unsigned int a, unsigned int b) {
  return (unsigned int)(((unsigned long long)a + b + 1) >> 1);
}

// Bytes of {b, a} picked by the low three bits of each nibble of s.
static inline unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int s) {
  unsigned long long both = ((unsigned long long)b << 32) | a;
  unsigned int result = 0;
  for (int i = 0; i < 4; ++i) result |= (unsigned int)((both >> (((s >> (4 * i)) & 7) * 8)) & 0xff) << (8 * i);
  return result;
}

// Funnel shifts of {hi, lo}; the plain forms wrap the amount at 32, the clamped ones stop at 32.
static inline unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int shift) {
  return (unsigned int)((((((unsigned long long)hi) << 32) | lo) << (shift & 31)) >> 32);
}
static inline unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int shift) {
  return (unsigned int)(((((unsigned long long)hi) << 32) | lo) >> (shift & 31));
}
static inline unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi, unsigned int shift) {
  return shift >= 32 ? lo : __funnelshift_l(lo, hi, shift);
}
static inline unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi, unsigned int shift) {
  return shift >= 32 ? hi : __funnelshift_r(lo, hi, shift);
}

namespace cudashim {

// Element i of a word seen as a vector of T.
template <class T, class Word> inline T lane_of(Word word, int i) {
  return T(word >> (i * int(sizeof(T)) * 8));
}

// The sum of the products of four byte pairs, plus c, wrapping.
template <class A, class B> inline unsigned int dot4(unsigned int a, unsigned int b, unsigned int c) {
  for (int i = 0; i < 4; ++i) c += (unsigned int)(int(lane_of<A>(a, i)) * int(lane_of<B>(b, i)));
  return c;
}

// Two 16-bit values of a times two bytes of b, the low or the high two.
template <class A, class B> inline unsigned int dot2(unsigned int a, unsigned int b, unsigned int c, int first) {
  for (int i = 0; i < 2; ++i)
    c += (unsigned int)((long long)lane_of<A>(a, i) * (long long)lane_of<B>(b, first + i));
  return c;
}

}  // namespace cudashim

static inline int __dp4a(int a, int b, int c) { return int(::cudashim::dot4<int8_t, int8_t>(a, b, c)); }
static inline unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
  return ::cudashim::dot4<uint8_t, uint8_t>(a, b, c);
}
static inline int __dp2a_lo(int a, int b, int c) { return int(::cudashim::dot2<int16_t, int8_t>(a, b, c, 0)); }
static inline int __dp2a_hi(int a, int b, int c) { return int(::cudashim::dot2<int16_t, int8_t>(a, b, c, 2)); }
static inline unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c) {
  return ::cudashim::dot2<uint16_t, uint8_t>(a, b, c, 0);
}
static inline unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c) {
  return ::cudashim::dot2<uint16_t, uint8_t>(a, b, c, 2);
}

// The same on vector types.
static inline int __dp4a(char4 a, char4 b, int c) {
  return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
static inline unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) {
  return c + unsigned(a.x * b.x) + unsigned(a.y * b.y) + unsigned(a.z * b.z) + unsigned(a.w * b.w);
}
static inline int __dp2a_lo(short2 a, char4 b, int c) { return c + a.x * b.x + a.y * b.y; }
static inline int __dp2a_hi(short2 a, char4 b, int c) { return c + a.x * b.z + a.y * b.w; }
static inline unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int c) {
  return c + unsigned(a.x) * b.x + unsigned(a.y) * b.y;
}
static inline unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int c) {
  return c + unsigned(a.x) * b.z + unsigned(a.y) * b.w;
}
