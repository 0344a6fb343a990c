"""Conversions with CUDA's rounding and saturation, bit for bit against exact arithmetic."""

from fractions import Fraction
from math import ceil, floor, isinf, isnan

import numpy as np
import pytest
from prelude_machine import Array, evaluate

_MODES = ("rn", "rz", "ru", "rd")
_INTEGERS = {
    "int": (np.int32, 32, True),
    "uint": (np.uint32, 32, False),
    "ll": (np.int64, 64, True),
    "ull": (np.uint64, 64, False),
    "short": (np.int16, 16, True),
    "ushort": (np.uint16, 16, False),
}


def _round(x: Fraction, mode: str) -> int:
    if mode == "rn":
        return round(x)  # half to even
    if mode == "rz":
        return floor(x) if x >= 0 else ceil(x)
    return ceil(x) if mode == "ru" else floor(x)


def _to_integer(x: float, mode: str, bits: int, signed: bool) -> int:
    """PTX cvt: saturates; NaN is 0, or 2^63 in 64 bits."""
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    if isnan(x):
        return (low if signed else 1 << 63) if bits == 64 else 0
    if isinf(x):
        return high if x > 0 else low
    return max(low, min(high, _round(Fraction(x), mode)))


def _floats() -> Array:
    random = np.random.default_rng(7)
    any_bits = random.integers(0, 2**32, 512, dtype=np.uint64).astype(np.uint32).view(np.float32)
    near = (random.uniform(-300, 300, 512) * 2.0 ** random.integers(-3, 60, 512)).astype(np.float32)
    halves = (np.arange(-256, 256, dtype=np.float32)) / 2
    edges = [
        0.0,
        -0.0,
        np.inf,
        -np.inf,
        np.nan,
        1e-45,
        -1e-45,
        2.0**31,
        -(2.0**31),
        2.0**32,
        2.0**63,
        2.0**64,
    ]
    edges += [np.nextafter(np.float32(e), np.float32(0)) for e in edges if np.isfinite(e) and abs(e) > 1]
    edges += [
        65504.0,
        65519.0,
        65520.0,
        65536.0,
        6e-8,
        3e-8,
        2.98e-8,
        32767.5,
        65535.5,
        127.5,
        -128.5,
        3.4e38,
    ]
    edges = np.array(edges, np.float32)
    values = np.concatenate([any_bits, near, halves, edges, -edges])
    return np.concatenate([values, np.zeros(-len(values) % 256, np.float32)])


@pytest.mark.parametrize("short", _INTEGERS)
def test_float_to_integer(short: str) -> None:
    dtype, bits, signed = _INTEGERS[short]
    x = _floats()
    found = evaluate({mode: f"cu::float2{short}_{mode}(x)" for mode in _MODES}, {"x": x}, dtype)
    for mode in _MODES:
        expected = [_to_integer(float(value), mode, bits, signed) for value in x]
        np.testing.assert_array_equal(found[mode], np.array(expected, dtype), err_msg=mode)


def test_float_to_bytes() -> None:
    x = _floats()
    found = evaluate(
        {"char": "cu::float2char_rz(x)", "uchar": "cu::float2uchar_rz(x)"},
        {"x": x},
        {"char": np.int8, "uchar": np.uint8},
    )
    np.testing.assert_array_equal(found["char"], [_to_integer(float(v), "rz", 8, True) for v in x])
    np.testing.assert_array_equal(found["uchar"], [_to_integer(float(v), "rz", 8, False) for v in x])


# Binary formats: bits of precision, lowest exponent of a denormal's last bit, largest finite value, width.
_FORMATS = {
    "half": (11, -24, Fraction(65504), 16),
    "bfloat16": (8, -133, Fraction(255) * Fraction(2) ** 120, 16),
    "float": (24, -149, Fraction(2**24 - 1) * Fraction(2) ** 104, 32),
}


def _to_format(x: Fraction, negative: bool, mode: str, form: str) -> int:
    """The bits of a rational number in a format; infinity past the largest number where the mode goes there."""
    precision, lowest, largest, width = _FORMATS[form]
    magnitude = abs(x)
    sign = int(negative) << (width - 1)
    if magnitude == 0:
        return sign
    exponent = max(lowest, magnitude.numerator.bit_length() - magnitude.denominator.bit_length() - precision)
    if magnitude / Fraction(2) ** exponent >= 1 << precision:
        exponent += 1
    away = {"rn": "rn", "rz": "rz", "ru": "rz" if negative else "ru", "rd": "ru" if negative else "rz"}[mode]
    rounded = _round(magnitude / Fraction(2) ** exponent, away)
    if rounded == 1 << precision:
        rounded, exponent = rounded >> 1, exponent + 1
    infinity = ((1 << (width - precision)) - 1) << (precision - 1)
    if rounded * Fraction(2) ** exponent > largest:
        return sign | (infinity if away in ("rn", "ru") else infinity - 1)
    if rounded < 1 << (precision - 1):
        return sign | rounded
    return sign | (((exponent - lowest + 1) << (precision - 1)) + (rounded - (1 << (precision - 1))))


@pytest.mark.parametrize("form", ("half", "bfloat16"))
def test_float_to_sixteen_bits(form: str) -> None:
    x = _floats()
    modes = ("rz", "ru", "rd") if form == "half" else _MODES
    found = evaluate({m: f"as_type<ushort>(cu::float2{form}_{m}(x))" for m in modes}, {"x": x}, np.uint16)
    precision, _, _, width = _FORMATS[form]
    infinity = ((1 << (width - precision)) - 1) << (precision - 1)
    for mode in modes:
        for value, bits in zip(x.tolist(), found[mode].tolist(), strict=True):
            negative = bool(np.signbit(np.float32(value)))
            if isnan(value):
                expected = 0x7FFF
            elif isinf(value):
                expected = infinity | (int(negative) << 15)
            else:
                expected = _to_format(Fraction(value), negative, mode, form)
            assert bits == expected, (mode, value, hex(bits), hex(expected))


def _integers(short: str) -> Array:
    dtype, bits, _ = _INTEGERS[short]
    info = np.iinfo(dtype)
    random = np.random.default_rng(bits)
    values = random.integers(info.min, info.max, 512, dtype=dtype, endpoint=True)
    values[:256] >>= random.integers(0, bits, 256).astype(dtype)
    edges = [info.min, info.max, 0, 1, 2**11 + 1, 2**12 - 1]
    edges += [2**24 + 1, 2**24 + 3, 2**25 - 1, 2**17 + 2**9, 2**17 + 2**9 + 1] if bits > 16 else []
    edges += [2**60 + 2**36, 2**60 + 2**36 + 1, 2**62 - 1] if bits > 32 else []
    values[: len(edges)] = np.array(edges, dtype)
    return values


@pytest.mark.parametrize("form", _FORMATS)
@pytest.mark.parametrize("short", _INTEGERS)
def test_integer_to_float(short: str, form: str) -> None:
    if form == "float" and short.endswith("short"):
        pytest.skip("every short is a float")
    x = _integers(short)
    modes = _MODES[1:] if form == "float" else _MODES
    word = "uint" if form == "float" else "ushort"
    found = evaluate(
        {mode: f"as_type<{word}>(cu::{short}2{form}_{mode}(x))" for mode in modes},
        {"x": x},
        np.uint32 if form == "float" else np.uint16,
    )
    for mode in modes:
        expected = [_to_format(Fraction(v), v < 0, mode, form) for v in x.tolist()]
        np.testing.assert_array_equal(found[mode], expected, err_msg=f"{short}2{form}_{mode}")
