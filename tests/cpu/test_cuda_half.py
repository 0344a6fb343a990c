"""binary16 and bfloat16 on the CPU machine, against numpy's float16 and exact arithmetic on Fractions."""

from fractions import Fraction

import numpy as np
import pytest
from cuda_runner import Array, each, elementwise

HALF = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
ALL = np.arange(65536, dtype=np.uint16)
RANDOM = np.random.default_rng(7)


def same_bits(got: Array, want: Array) -> None:
    """Equal bits, any NaN equal to any NaN."""
    nan = np.isnan(want)
    assert np.array_equal(np.isnan(got), nan)
    unsigned = np.dtype(f"u{want.itemsize}")
    different = (got.view(unsigned) != want.view(unsigned)) & ~nan
    assert not different.any(), np.argwhere(different)[:5]


def bfloat(bits: Array) -> Array:
    return (bits.astype(np.uint32) << 16).view(np.float32)


def to_bfloat(values: Array) -> Array:
    """float64 to bfloat16 bits, to nearest even: by numpy's float32 grid and integer rounding of exact cases."""
    single = values.astype(np.float32)
    bits = single.view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(single), np.uint16(0x7FFF), rounded)


def test_every_half_to_float() -> None:
    got = elementwise(("__half", "float"), "__half2float(a)", [ALL.view(np.float16)], np.float32, HALF)
    same_bits(got, ALL.view(np.float16).astype(np.float32))


def test_every_bfloat_to_float() -> None:
    got = elementwise(("__nv_bfloat16", "float"), "__bfloat162float(a)", [ALL], np.float32, HALF)
    same_bits(got, bfloat(ALL))


def interesting_floats() -> Array:
    """Every half, the midpoints between neighbours, and their float neighbours."""
    halves = np.unique(ALL.view(np.float16).astype(np.float32)[np.isfinite(ALL.view(np.float16))])
    middles = ((halves[1:].astype(np.float64) + halves[:-1]) / 2).astype(np.float32)
    edges = np.array([65519.9, 65520.0, 65536.0, 1e30, np.inf, np.nan, 2.0**-25, 2.0**-26], np.float32)
    values = np.concatenate([halves, middles, edges, -edges])
    up, down = np.nextafter(values, np.float32(np.inf)), np.nextafter(values, np.float32(-np.inf))
    return np.concatenate([values, up, down])


def test_float_to_half_rounds_to_nearest_even() -> None:
    values = interesting_floats()
    got = elementwise(("float", "__half"), "__float2half_rn(a)", [values], np.float16, HALF)
    with np.errstate(over="ignore"):
        same_bits(got, values.astype(np.float16))


def test_double_to_half_rounds_once() -> None:
    values = np.concatenate(
        [1 + 2.0**-11 + np.array([2.0**-40, -(2.0**-40), 0.0]), [65520 - 2.0**-30, 65520.0]]
    )
    got = elementwise(("double", "__half"), "__double2half(a)", [values], np.float16, HALF)
    assert got.tolist() == [1 + 2.0**-10, 1.0, 1.0, 65504.0, np.inf]


def test_directed_float_to_half() -> None:
    values = interesting_floats()
    values = values[np.isfinite(values)]
    call = "make_ushort4(BITS(rz), BITS(rd), BITS(ru), 0)"
    macro = "#define BITS(mode) __half_as_ushort(__float2half_##mode(a))\n"
    record = np.dtype([("rz", np.float16), ("rd", np.float16), ("ru", np.float16), ("none", np.uint16)])
    every = elementwise(("float", "ushort4"), call, [values], record, HALF + macro)
    for mode in ("rz", "rd", "ru"):
        got = np.ascontiguousarray(every[mode])
        wide = got.astype(np.float64)
        toward = {"rz": np.abs(wide) <= np.abs(values), "rd": wide <= values, "ru": wide >= values}[mode]
        assert toward.all()
        away = {"rz": np.where(values < 0, -np.inf, np.inf), "rd": np.inf, "ru": -np.inf}[mode]
        with np.errstate(over="ignore"):
            beyond = np.nextafter(got, np.broadcast_to(np.float16(away), got.shape)).astype(np.float64)
        passes = {"rz": np.abs(beyond) > np.abs(values), "rd": beyond > values, "ru": beyond < values}[mode]
        assert ((wide == values) | passes).all()


def test_float_to_bfloat() -> None:
    bits = RANDOM.integers(0, 2**32, 50000, dtype=np.uint32)
    ties = (ALL.astype(np.uint32) << 16) | 0x8000
    values = np.concatenate([bits, ties]).view(np.float32)
    got = elementwise(("float", "__nv_bfloat16"), "__float2bfloat16_rn(a)", [values], np.uint16, HALF)
    same_bits(bfloat(got), bfloat(to_bfloat(values)))
    assert (got[np.isnan(values)] == 0x7FFF).all()


HALF_PAIRS = (
    RANDOM.integers(0, 65536, 60000).astype(np.uint16),
    RANDOM.integers(0, 65536, 60000).astype(np.uint16),
)


def test_half_arithmetic_rounds_once() -> None:
    a, b = (x.view(np.float16) for x in HALF_PAIRS)
    call = "make_ushort4(BITS(__hadd(a, b)), BITS(a - b), BITS(__hmul(a, b)), BITS(__hdiv(a, b)))"
    macro = "#define BITS(value) __half_as_ushort(value)\n"
    record = np.dtype([(name, np.float16) for name in ("add", "subtract", "multiply", "divide")])
    every = elementwise(("__half", "ushort4"), call, [a, b], record, HALF + macro)
    for name in record.names or ():
        got = np.ascontiguousarray(every[name])
        with np.errstate(all="ignore"):
            exact = getattr(np, name)(a.astype(np.float64), b.astype(np.float64))
            same_bits(got, exact.astype(np.float16))
        assert (got.view(np.uint16)[np.isnan(got)] == 0x7FFF).all()


def round_exact(value: Fraction, precision: int, min_exponent: int) -> Fraction:
    """To nearest even with `precision` bits, by integers."""
    if value == 0:
        return value
    exponent = len(bin(abs(value.numerator))) - len(bin(value.denominator))
    if abs(value) < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** (max(exponent, min_exponent) - precision + 1)
    return round(value / unit) * unit  # Fraction rounds ties to even


@pytest.mark.parametrize(
    ("kind", "precision", "min_exponent", "largest"),
    [("__half", 11, -14, 65504.0), ("__nv_bfloat16", 8, -126, 3.3895313892515355e38)],
)
def test_fma_rounds_once(kind: str, precision: int, min_exponent: int, largest: float) -> None:
    bits = [RANDOM.integers(0, 65536, 3000).astype(np.uint16) for _ in range(3)]
    bits[2][:1500] = (
        bits[2][:1500] & 0x83FF if kind == "__half" else bits[2][:1500]
    )  # tiny addends: sticky bits
    decode = (lambda x: x.view(np.float16).astype(np.float64)) if kind == "__half" else bfloat
    got = decode(elementwise((kind, kind), "__hfma(a, b, c)", bits, np.uint16, HALF))
    for x, y, z, result in zip(*(decode(b).tolist() for b in bits), got.tolist(), strict=True):
        if not all(np.isfinite([x, y, z])):
            continue
        want = round_exact(Fraction(x) * Fraction(y) + Fraction(z), precision, min_exponent)
        if abs(want) > largest:
            assert np.isinf(result)
        else:
            assert Fraction(result) == want, (x, y, z)


NAN, INF = float("nan"), float("inf")


INTRINSICS = [
    ("__hmax(a, b)", NAN, 1.0, 1.0), ("__hmax(a, b)", 1.0, NAN, 1.0), ("__hmax_nan(a, b)", 1.0, NAN, NAN),
    ("__hmin(a, b)", NAN, 1.0, 1.0), ("__hmin_nan(a, b)", NAN, 1.0, NAN), ("__hmax(a, b)", -0.0, 0.0, 0.0),
    ("__hmin(a, b)", 0.0, -0.0, -0.0), ("__hadd_sat(a, b)", 0.75, 0.75, 1.0), ("__hadd_sat(a, b)", -1.0, 0.5, 0.0),
    ("__hadd_sat(a, b)", NAN, 0.5, 0.0), ("__hmul_sat(a, b)", 0.5, 0.5, 0.25), ("__hsub_sat(a, b)", 0.5, 1.0, 0.0),
    ("__hfma_relu(a, b, b)", -2.0, 1.0, 0.0), ("__hfma_relu(a, b, b)", NAN, 1.0, NAN),
    ("__hneg(a)", 0.0, 0.0, -0.0), ("__habs(a)", -2.0, 0.0, 2.0), ("hrcp(a)", 3.0, 0.0, np.float16(1 / 3)),
    ("hsqrt(a)", 2.0, 0.0, np.float16(2**0.5)), ("hrint(a)", 2.5, 0.0, 2.0), ("hexp(a)", 1.0, 0.0, np.float16(np.e)),
    ("__heq(a, b) ? a : b", NAN, 2.0, 2.0), ("__hequ(a, b) ? b : a", NAN, 2.0, 2.0),
    ("__hne(a, b) ? a : b", 1.0, NAN, NAN), ("__hneu(a, b) ? a : b", 1.0, NAN, 1.0),
    ("__hisinf(a) < 0 ? b : a", -INF, 2.0, 2.0), ("__hlt(a, b) ? a : b", 1.0, 2.0, 1.0),
    ("__int2half_rn(__half2int_rn(a))", 2.5, 0.0, 2.0), ("half(__half2short_rz(a))", INF, 0.0, np.float16(32767)),
    ("__high2half(__halves2half2(a, b) * __half2half2(b))", 3.0, 2.0, 4.0),
    ("__hcmadd(half2(a, b), half2(a, b), half2(b, a)).x", 3.0, 2.0, 7.0),
    ("__low2half(__hgt2(half2(a, b), half2(b, a)))", 3.0, 2.0, 1.0),
    ("half(float(__hgt2_mask(half2(b, a), half2(a, b)) >> 16))", 3.0, 2.0, INF),
    ("__lowhigh2highlow(half2(a, b)).x", 3.0, 2.0, 2.0), ("half(int(__hbge2(half2(a, b), half2(a, a))))", 3.0, 2.0, 0.0),
]  # fmt: skip


def test_half_intrinsics() -> None:
    got = each(
        ("__half", "__half"), [(row[0], list(row[1:3])) for row in INTRINSICS], np.float16, np.float16, HALF
    )
    for value, (expression, a, b, want) in zip(got, INTRINSICS, strict=True):
        assert value.tobytes() == np.float16(want).tobytes() or (np.isnan(value) and np.isnan(want)), (
            expression,
            a,
            b,
            value,
        )
