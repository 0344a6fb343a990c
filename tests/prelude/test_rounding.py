"""Arithmetic with a rounding mode: the float next to the exact result on the mode's side."""

from fractions import Fraction
from math import isqrt

import numpy as np
import pytest
from prelude_machine import Array, evaluate
from test_convert import _to_format

_COUNT = 1024
_MODES = ("rd", "ru", "rz")
_CALLS = {
    "fadd": "a, b",
    "fsub": "a, b",
    "fmul": "a, b",
    "fmaf": "a, b, c",
    "fdiv": "a, b",
    "frcp": "a",
    "fsqrt": "a",
}


def _operands(seed: int) -> Array:
    """Ordinary numbers, all exponents, short mantissas whose results are exact, and the edges."""
    random = np.random.default_rng(seed)
    bits = random.integers(0, 2**32, _COUNT, dtype=np.uint64).astype(np.uint32)
    values = bits.view(np.float32)
    values = np.where(np.isfinite(values), values, np.float32(1.5))
    values[: _COUNT // 2] = random.normal(size=_COUNT // 2).astype(np.float32)
    values[: _COUNT // 8] = random.integers(-9, 9, _COUNT // 8).astype(np.float32)
    edges = [0.0, -0.0, 1.0, 3.4028234663852886e38, 1.1754943508222875e-38, 1e-45, -1e-45, 1e-39]
    values[-64:] = np.resize(np.roll(np.array(edges, np.float32), seed), 64)
    if seed:  # sums and products of the next operand that cancel or nearly do
        values[100:110] = -_operands(0)[100:110]
    return values


def _nearly_root(x: Fraction) -> Fraction:
    """A rational on the same side of every float, and half way, as the square root."""
    scale = 1 << 400
    scaled = x * scale * scale
    root = isqrt(scaled.numerator // scaled.denominator)
    exact = root * root * scaled.denominator == scaled.numerator
    return Fraction(root, scale) if exact else Fraction(2 * root + 1, 2 * scale)


def _exact(name: str, a: float, b: float, c: float) -> Fraction | None:
    x, y, z = Fraction(a), Fraction(b), Fraction(c)
    if name in ("fdiv", "frcp") and (y if name == "fdiv" else x) == 0:
        return None
    if name == "fsqrt":
        return None if x < 0 else _nearly_root(x)
    if name == "fmaf":
        return x * y + z
    if name == "frcp":
        return 1 / x
    return {"fadd": lambda: x + y, "fsub": lambda: x - y, "fmul": lambda: x * y, "fdiv": lambda: x / y}[
        name
    ]()


def _zero_is_negative(name: str, mode: str, a: float, b: float, c: float) -> bool:
    """IEEE 754 on a result that is exactly zero: a sum of opposite signs is -0 when rounded down only."""
    negative = np.signbit
    if name in ("fmul", "fdiv"):
        return bool(negative(a) != negative(b))
    if name in ("frcp", "fsqrt"):
        return bool(negative(a))
    first = negative(a) != negative(b) if name == "fmaf" else negative(a)
    second = negative(c) if name == "fmaf" else negative(b) != (name == "fsub")
    return bool(first) if first == second else mode == "rd"


@pytest.fixture(scope="module")
def results() -> tuple[dict[str, Array], dict[str, Array]]:
    inputs = {letter: _operands(seed) for seed, letter in enumerate("abc")}
    calls = {f"{name}_{mode}": f"cu::{name}_{mode}({_CALLS[name]})" for name in _CALLS for mode in _MODES}
    return inputs, evaluate(calls, inputs, np.float32)


@pytest.mark.parametrize("mode", _MODES)
@pytest.mark.parametrize("name", _CALLS)
def test_directed(name: str, mode: str, results: tuple[dict[str, Array], dict[str, Array]]) -> None:
    inputs, found = results
    bits = found[f"{name}_{mode}"].view(np.uint32).tolist()
    rows = zip(*(inputs[letter].tolist() for letter in "abc"), bits, strict=True)
    for a, b, c, got in rows:
        exact = _exact(name, a, b, c)
        if exact is None:
            continue
        negative = exact < 0 if exact else _zero_is_negative(name, mode, a, b, c)
        expected = _to_format(exact, negative, mode, "float")
        assert got == expected, (a, b, c, hex(got), hex(expected))


def test_nearest_is_never_contracted() -> None:
    """a * b + c through the _rn functions rounds twice."""
    inputs = {letter: _operands(seed) for seed, letter in enumerate("abc")}
    found = evaluate({"x": "cu::fadd_rn(cu::fmul_rn(a, b), c)", "y": "cu::fsub_rn(a, b)"}, inputs, np.float32)
    with np.errstate(all="ignore"):
        expected = inputs["a"] * inputs["b"] + inputs["c"]
        np.testing.assert_array_equal(found["x"], expected)
        np.testing.assert_array_equal(found["y"], inputs["a"] - inputs["b"])
