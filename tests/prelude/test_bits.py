"""Integer and bit intrinsics, bit for bit against Python integers."""

from collections.abc import Callable

import numpy as np
import pytest
from prelude_machine import Array, evaluate

_COUNT = 4096
_MASK = 0xFFFFFFFF


def _signed(x: int, bits: int = 32) -> int:
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


def _byte_perm(a: int, b: int, s: int) -> int:
    data = (b << 32) | a
    result = 0
    for lane in range(4):
        pick = (s >> (4 * lane)) & 15
        byte = (data >> (8 * (pick & 7))) & 255
        if pick & 8:
            byte = 255 if byte & 128 else 0
        result |= byte << (8 * lane)
    return result


def _dot(a: int, b: int, c: int, signed: bool) -> int:
    total = c
    for lane in range(4):
        x, y = (a >> (8 * lane)) & 255, (b >> (8 * lane)) & 255
        total += _signed(x, 8) * _signed(y, 8) if signed else x * y
    return total


def _dot2(a: int, b: int, c: int, signed: bool) -> int:
    total = c
    for lane in range(2):
        x, y = (a >> (16 * lane)) & 65535, (b >> (8 * lane)) & 255
        total += _signed(x, 16) * _signed(y, 8) if signed else x * y
    return total


def _bfe(x: int, start: int, length: int, signed: bool) -> int:
    """PTX ISA, bfe: bits past the word are zeros, or copies of the sign bit."""
    start, length = start & 255, length & 255
    wide = (_signed(x) if signed else x) >> min(start, 63)
    if length == 0:
        return 0
    field = wide & ((1 << min(length, 64)) - 1)
    if not signed:
        return field
    sign = (_signed(x) >> min(start + length - 1, 31)) & 1
    return field | (-1 << min(length, 64)) if sign else field


def _bfi(a: int, b: int, start: int, length: int) -> int:
    start, length = start & 255, length & 255
    result = b
    for i in range(length):
        if start + i < 32:
            result = (result & ~(1 << (start + i))) | (((a >> i) & 1 if i < 32 else 0) << (start + i))
    return result


def _lop3(a: int, b: int, c: int, table: int) -> int:
    result = 0
    for bit in range(32):
        index = ((a >> bit) & 1) * 4 + ((b >> bit) & 1) * 2 + ((c >> bit) & 1)
        result |= ((table >> index) & 1) << bit
    return result


def _fns(mask: int, base: int, offset: int) -> int:
    if offset == 0:
        return base if (mask >> base) & 1 else _MASK
    positions = range(base, 32) if offset > 0 else range(base, -1, -1)
    found = [p for p in positions if (mask >> p) & 1]
    return found[abs(offset) - 1] if abs(offset) <= len(found) else _MASK


# name: (expression over uint a, b, c; the same on Python integers)
CASES: dict[str, tuple[str, Callable[[int, int, int], int]]] = {
    "byte_perm": ("cu::byte_perm(a, b, c)", lambda a, b, c: _byte_perm(a, b, c)),
    "funnel_l": ("cu::funnelshift_l(a, b, c)", lambda a, b, c: ((b << 32 | a) << (c & 31)) >> 32),
    "funnel_lc": (
        "cu::funnelshift_lc(a, b, c % 40)",
        lambda a, b, c: ((b << 32 | a) << min(c % 40, 32)) >> 32,
    ),
    "funnel_r": ("cu::funnelshift_r(a, b, c)", lambda a, b, c: (b << 32 | a) >> (c & 31)),
    "funnel_rc": ("cu::funnelshift_rc(a, b, c % 40)", lambda a, b, c: (b << 32 | a) >> min(c % 40, 32)),
    "brev": ("cu::brev(a)", lambda a, b, c: int(f"{a:032b}"[::-1], 2)),
    "clz": ("uint(cu::clz(int(a >> (c & 31))))", lambda a, b, c: 32 - (a >> (c & 31)).bit_length()),
    "ffs": (
        "uint(cu::ffs(int(a << (c & 31))))",
        lambda a, b, c: (lambda x: (x & -x).bit_length())((a << (c & 31)) & _MASK),
    ),
    "popc": ("uint(cu::popc(a))", lambda a, b, c: a.bit_count()),
    "fns": (
        "cu::fns(a, b & 31, int(c % 9) - 4)",
        lambda a, b, c: _fns(a, b & 31, c % 9 - 4),
    ),
    "mul24": (
        "uint(cu::mul24(int(a), int(b)))",
        lambda a, b, c: _signed(a & 0xFFFFFF, 24) * _signed(b & 0xFFFFFF, 24),
    ),
    "umul24": ("cu::umul24(a, b)", lambda a, b, c: (a & 0xFFFFFF) * (b & 0xFFFFFF)),
    "mulhi": ("uint(cu::mulhi(int(a), int(b)))", lambda a, b, c: (_signed(a) * _signed(b)) >> 32),
    "umulhi": ("cu::umulhi(a, b)", lambda a, b, c: (a * b) >> 32),
    "sad": ("cu::sad(int(a), int(b), c)", lambda a, b, c: abs(_signed(a) - _signed(b)) + c),
    "usad": ("cu::usad(a, b, c)", lambda a, b, c: abs(a - b) + c),
    "ihadd": ("uint(cu::ihadd(int(a), int(b)))", lambda a, b, c: (_signed(a) + _signed(b)) >> 1),
    "uhadd": ("cu::uhadd(a, b)", lambda a, b, c: (a + b) >> 1),
    "rhadd": ("uint(cu::rhadd(int(a), int(b)))", lambda a, b, c: (_signed(a) + _signed(b) + 1) >> 1),
    "urhadd": ("cu::urhadd(a, b)", lambda a, b, c: (a + b + 1) >> 1),
    "dp4a_s": ("uint(cu::dp4a(int(a), int(b), int(c)))", lambda a, b, c: _dot(a, b, c, True)),
    "dp4a_u": ("cu::dp4a(a, b, c)", lambda a, b, c: _dot(a, b, c, False)),
    "dp4a_v": (
        "uint(cu::dp4a(as_type<char4>(a), as_type<char4>(b), int(c)))",
        lambda a, b, c: _dot(a, b, c, True),
    ),
    "dp2a_lo_s": ("uint(cu::dp2a_lo(int(a), int(b), int(c)))", lambda a, b, c: _dot2(a, b, c, True)),
    "dp2a_lo_u": ("cu::dp2a_lo(a, b, c)", lambda a, b, c: _dot2(a, b, c, False)),
    "dp2a_hi_s": (
        "uint(cu::dp2a_hi(int(a), int(b), int(c)))",
        lambda a, b, c: _dot2(a, b >> 16, c, True),
    ),
    "dp2a_hi_u": ("cu::dp2a_hi(a, b, c)", lambda a, b, c: _dot2(a, b >> 16, c, False)),
    "bfe_u": ("cu::bfe(a, b % 40, c % 40)", lambda a, b, c: _bfe(a, b % 40, c % 40, False)),
    "bfe_s": ("uint(cu::bfe(int(a), b % 40, c % 40))", lambda a, b, c: _bfe(a, b % 40, c % 40, True)),
    "bfi": ("cu::bfi(a, b, c % 40, (c >> 8) % 40)", lambda a, b, c: _bfi(a, b, c % 40, (c >> 8) % 40)),
    "lop3": ("cu::lop3(a, b, c, a & 255)", lambda a, b, c: _lop3(a, b, c, a & 255)),
    "bswap16": (
        "uint(cu::bswap16(ushort(a)))",
        lambda a, b, c: int.from_bytes((a & 65535).to_bytes(2, "little"), "big"),
    ),
    "bswap32": (
        "cu::bswap32(a)",
        lambda a, b, c: int.from_bytes(a.to_bytes(4, "little"), "big"),
    ),
}
WIDE: dict[str, tuple[str, Callable[[int, int], int]]] = {
    "brevll": ("cu::brevll(p)", lambda p, q: int(f"{p:064b}"[::-1], 2)),
    "clzll": ("ulong(cu::clzll(long(p >> (q & 63))))", lambda p, q: 64 - (p >> (q & 63)).bit_length()),
    "ffsll": (
        "ulong(cu::ffsll(long(p << (q & 63))))",
        lambda p, q: (lambda x: (x & -x).bit_length())((p << (q & 63)) & ((1 << 64) - 1)),
    ),
    "popcll": ("ulong(cu::popcll(p))", lambda p, q: p.bit_count()),
    "umul64hi": ("cu::umul64hi(p, q)", lambda p, q: (p * q) >> 64),
    "mul64hi": (
        "ulong(cu::mul64hi(long(p), long(q)))",
        lambda p, q: (_signed(p, 64) * _signed(q, 64)) >> 64,
    ),
    "bswap64": ("cu::bswap64(p)", lambda p, q: int.from_bytes(p.to_bytes(8, "little"), "big")),
    "hiloint": (
        "ulong(cu::hiloint2longlong(int(p), int(q)))",
        lambda p, q: ((p & _MASK) << 32) | (q & _MASK),
    ),
}


def words(bits: int, seed: int) -> Array:
    """Random words, a quarter of them sparse, and the edges."""
    random = np.random.default_rng(seed)
    dtype = {32: np.uint32, 64: np.uint64}[bits]
    top = (1 << bits) - 1
    values = random.integers(0, top, _COUNT, dtype=dtype, endpoint=True)
    values[::4] &= random.integers(0, top, _COUNT // 4, dtype=dtype, endpoint=True)
    edges = [0, 1, top, top >> 1, (top >> 1) + 1, 0x80, 0x8080, 31, 32, 33]
    values[: len(edges)] = np.roll(np.array(edges, dtype=dtype), seed)
    return values


@pytest.fixture(scope="module")
def narrow() -> tuple[dict[str, Array], dict[str, Array]]:
    inputs = {name: words(32, seed) for seed, name in enumerate("abc")}
    return inputs, evaluate({name: how for name, (how, _) in CASES.items()}, inputs, np.uint32)


@pytest.fixture(scope="module")
def wide() -> tuple[dict[str, Array], dict[str, Array]]:
    inputs = {name: words(64, seed) for seed, name in enumerate("pq")}
    return inputs, evaluate({name: how for name, (how, _) in WIDE.items()}, inputs, np.uint64)


@pytest.mark.parametrize("name", CASES)
def test_on_words(name: str, narrow: tuple[dict[str, Array], dict[str, Array]]) -> None:
    inputs, found = narrow
    columns = zip(*(inputs[column].tolist() for column in "abc"), strict=True)
    expected = [CASES[name][1](*row) & _MASK for row in columns]
    np.testing.assert_array_equal(found[name], np.array(expected, np.uint32))


@pytest.mark.parametrize("name", WIDE)
def test_on_double_words(name: str, wide: tuple[dict[str, Array], dict[str, Array]]) -> None:
    inputs, found = wide
    columns = zip(*(inputs[column].tolist() for column in "pq"), strict=True)
    expected = [WIDE[name][1](*row) & ((1 << 64) - 1) for row in columns]
    np.testing.assert_array_equal(found[name], np.array(expected, np.uint64))
