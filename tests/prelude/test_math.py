"""The math functions that Metal lacks: errors within CUDA's bounds, and the special values of IEEE 754 and CUDA."""

from math import inf, nan

import mpmath
import numpy as np
import pytest
from accuracy import Measured, error_in_ulp, measure, results
from math_references import FUNCTIONS
from prelude_machine import evaluate

from cu2mlx.transpiler.tables.accuracy import measurements

_POINTS = 8192
_CANDIDATES = 16

_MIN = 1.401298464324817e-45  # the smallest denormal
_MAX = 3.4028234663852886e38
_INT_MIN = -(2.0**31)

# expression → its value, exactly (a NaN equals a NaN, zeros differ by sign)
SPECIALS: dict[str, float] = {
    "erf(0.0f)": 0.0,
    "erf(-0.0f)": -0.0,
    "erf(INFINITY)": 1,
    "erf(-INFINITY)": -1,
    "erf(NAN)": nan,
    "erfc(INFINITY)": 0,
    "erfc(-INFINITY)": 2,
    "erfc(NAN)": nan,
    "erfinv(1.0f)": inf,
    "erfinv(-1.0f)": -inf,
    "erfinv(-0.0f)": -0.0,
    "erfinv(1.5f)": nan,
    "erfcinv(0.0f)": inf,
    "erfcinv(2.0f)": -inf,
    "erfcinv(1.0f)": 0.0,
    "erfcinv(-1.0f)": nan,
    "erfcx(INFINITY)": 0,
    "erfcx(-INFINITY)": inf,
    "erfcx(NAN)": nan,
    "normcdf(INFINITY)": 1,
    "normcdf(-INFINITY)": 0,
    "normcdf(NAN)": nan,
    "normcdfinv(0.0f)": -inf,
    "normcdfinv(1.0f)": inf,
    "normcdfinv(0.5f)": 0.0,
    "normcdfinv(2.0f)": nan,
    "expm1(-0.0f)": -0.0,
    "expm1(INFINITY)": inf,
    "expm1(-INFINITY)": -1,
    "expm1(NAN)": nan,
    "log1p(-0.0f)": -0.0,
    "log1p(-1.0f)": -inf,
    "log1p(INFINITY)": inf,
    "log1p(-2.0f)": nan,
    "exp10(-INFINITY)": 0,
    "exp10(INFINITY)": inf,
    "exp10(0.0f)": 1,
    "exp10(NAN)": nan,
    "powi(0.0f, 0)": 1,
    "powi(NAN, 0)": 1,
    "powi(-0.0f, -3)": -inf,
    "powi(-0.0f, -2)": inf,
    "powi(-INFINITY, 3)": -inf,
    "powi(-INFINITY, -3)": -0.0,
    "powi(-2.0f, 3)": -8,
    "powi(2.0f, -149)": _MIN,
    "powi(2.0f, 128)": inf,
    "powi(1.0f, as_type<int>(0x80000000u))": 1,
    "cbrt(-0.0f)": -0.0,
    "cbrt(-INFINITY)": -inf,
    "cbrt(-27.0f)": -3,
    "cbrt(NAN)": nan,
    "rcbrt(-0.0f)": -inf,
    "rcbrt(INFINITY)": 0.0,
    "rcbrt(8.0f)": 0.5,
    "hypot(INFINITY, NAN)": inf,
    "hypot(NAN, 1.0f)": nan,
    "hypot(0.0f, -0.0f)": 0.0,
    "hypot(3.0f, 4.0f)": 5,
    "hypot(3.0e38f, 3.0e38f)": inf,
    "hypot(1.401298464e-45f, 0.0f)": _MIN,
    "rhypot(0.0f, 0.0f)": inf,
    "rhypot(INFINITY, NAN)": 0,
    "norm3d(NAN, -INFINITY, 1.0f)": inf,
    "norm4d(1.0f, 1.0f, 1.0f, 1.0f)": 2,
    "rnorm4d(1.0f, 1.0f, 1.0f, 1.0f)": 0.5,
    "lgamma(1.0f)": 0.0,
    "lgamma(2.0f)": 0.0,
    "lgamma(-3.0f)": inf,
    "lgamma(0.0f)": inf,
    "lgamma(-INFINITY)": inf,
    "lgamma(INFINITY)": inf,
    "lgamma(NAN)": nan,
    "tgamma(5.0f)": 24,
    "tgamma(-0.0f)": -inf,
    "tgamma(0.0f)": inf,
    "tgamma(-1.0f)": nan,
    "tgamma(INFINITY)": inf,
    "tgamma(-INFINITY)": nan,
    "tgamma(36.0f)": inf,
    "sinpi(-0.0f)": -0.0,
    "sinpi(1.0f)": 0.0,
    "sinpi(-2.0f)": -0.0,
    "sinpi(0.5f)": 1,
    "sinpi(1.5f)": -1,
    "sinpi(16777216.0f)": 0.0,
    "sinpi(INFINITY)": nan,
    "cospi(0.5f)": 0.0,
    "cospi(1.0f)": -1,
    "cospi(16777217.0f)": 1,
    "cospi(-INFINITY)": nan,
    "nextafter(0.0f, -1.0f)": -_MIN,
    "nextafter(0.0f, -0.0f)": -0.0,
    "nextafter(3.4028234663852886e38f, INFINITY)": inf,
    "nextafter(INFINITY, 0.0f)": _MAX,
    "nextafter(NAN, 0.0f)": nan,
    "fdim(3.0f, 1.0f)": 2,
    "fdim(1.0f, 3.0f)": 0.0,
    "fdim(NAN, 3.0f)": nan,
    "logb(0.0f)": -inf,
    "logb(-INFINITY)": inf,
    "logb(1.401298464e-45f)": -149,
    "logb(10.0f)": 3,
    "logb(NAN)": nan,
    "float(cu::ilogb(0.0f))": _INT_MIN,
    "float(cu::ilogb(NAN))": _INT_MIN,
    "float(cu::ilogb(INFINITY))": 2.0**31,
    "float(cu::ilogb(1.401298464e-45f))": -149,
    "ldexp(1.5f, 127)": 1.5 * 2.0**127,
    "ldexp(3.0f, -150)": 2 * _MIN,
    "ldexp(1.0f, -150)": 0.0,
    "ldexp(-1.0f, 5000)": -inf,
    "scalbln(1.401298464e-45f, 276l)": 2.0**127,
    "fmod(5.5f, -2.0f)": 1.5,
    "fmod(-5.5f, 2.0f)": -1.5,
    "fmod(-4.0f, 2.0f)": -0.0,
    "fmod(1.0f, INFINITY)": 1,
    "fmod(1.0f, 0.0f)": nan,
    "remainder(5.0f, 2.0f)": 1,
    "remainder(7.0f, 2.0f)": -1,
    "remainder(-4.0f, 2.0f)": -0.0,
    "remainder(1.0f, 0.0f)": nan,
    "remainder(3.4028234663852886e38f, 1.401298464e-45f)": 0.0,
    "j0(0.0f)": 1,
    "j0(INFINITY)": 0,
    "j0(NAN)": nan,
    "j1(-0.0f)": -0.0,
    "y0(0.0f)": -inf,
    "y0(-1.0f)": nan,
    "y0(INFINITY)": 0,
    "y1(0.0f)": -inf,
    "jn(-1, 1.0f)": nan,
    "jn(3, 0.0f)": 0.0,
    "yn(-1, 1.0f)": nan,
    "yn(3, 0.0f)": -inf,
    "yn(128, 0.5f)": -inf,
    "cyl_bessel_i0(0.0f)": 1,
    "cyl_bessel_i0(-INFINITY)": inf,
    "cyl_bessel_i1(-INFINITY)": -inf,
    "cyl_bessel_i1(-0.0f)": -0.0,
    "saturatef(NAN)": 0,
    "saturatef(-1.0f)": 0,
    "saturatef(7.0f)": 1,
}


@pytest.fixture(scope="module")
def measured() -> dict[str, Measured]:
    return {item.function.label: item for item in measure(_POINTS, _CANDIDATES)}


@pytest.mark.parametrize("label", [function.label for function in FUNCTIONS])
def test_error_within_cuda_bound(label: str, measured: dict[str, Measured]) -> None:
    item = measured[label]
    assert item.points >= _POINTS // 4
    assert item.ulp <= item.function.bound, f"{item.ulp:.2f} ulp at {item.worst}"
    if item.function.absolute is not None:
        assert item.absolute is not None
        assert item.absolute <= item.function.absolute


def test_recorded_errors_are_these() -> None:
    """measured.json is of today's functions: at each recorded worst point the error is the recorded one."""
    recorded = {each.label: each for each in measurements()}
    functions = {function.label: function for function in FUNCTIONS}
    assert list(recorded) == list(functions)
    known = {label: each for label, each in recorded.items() if each.ulp is not None}
    columns = {label: [np.full(256, value, np.float32) for value in each.at] for label, each in known.items()}
    found = results(columns)
    wrong = []
    with mpmath.workprec(120):
        for label, each in known.items():
            true = functions[label].value(*(mpmath.mpf(value) for value in each.at))
            error = error_in_ulp(float(found[label][0]), true)
            if abs(error - (each.ulp or 0.0)) > 1e-3:
                wrong.append(f"{label} at {each.at}: {error:.4f} ulp, {each.ulp} recorded")
    assert wrong == []
    assert all((each.ulp or 0.0) <= (functions[label].bound) for label, each in known.items())


def test_special_values() -> None:
    names = {f"case{index}": call for index, call in enumerate(SPECIALS)}
    calls = {name: call if "cu::" in call else f"cu::{call}" for name, call in names.items()}
    found = evaluate(calls, {"unused": np.zeros(1, np.float32)}, np.float32)
    wrong = []
    for name, call in names.items():
        value, expected = found[name][0], np.float32(SPECIALS[call])
        same = np.isnan(value) if np.isnan(expected) else value == expected
        if not same or (np.signbit(value) != np.signbit(expected) and not np.isnan(expected)):
            wrong.append(f"{call} is {value}, not {expected}")
    assert wrong == []


def test_exact_parts() -> None:
    """frexp, modf, remquo hand a second result back through a pointer of the thread."""
    random = np.random.default_rng(1)
    x = random.integers(0, 2**32, 4096, dtype=np.uint64).astype(np.uint32).view(np.float32)
    x = np.where(np.isnan(x), np.float32(-0.0), x)
    y = np.where(np.arange(4096) % 2, random.uniform(-9, 9, 4096), x[::-1]).astype(np.float32)
    found = evaluate(
        {
            "fraction": "x; { int e; out_fraction[i] = cu::frexp(x, &e); out_exponent[i] = e; }",
            "exponent": "out_exponent[i]",
            "part": "x; { float w; out_part[i] = cu::modf(x, &w); out_whole[i] = w; }",
            "whole": "out_whole[i]",
            "rest": "x; { int q; out_rest[i] = cu::remquo(x, y, &q); out_quotient[i] = q; }",
            "quotient": "out_quotient[i]",
        },
        {"x": x, "y": y},
        {
            "fraction": np.float32,
            "exponent": np.int32,
            "part": np.float32,
            "whole": np.float32,
            "rest": np.float32,
            "quotient": np.int32,
        },
    )
    fraction, exponent = np.frexp(x)
    finite = np.isfinite(x)
    np.testing.assert_array_equal(found["fraction"], fraction)
    np.testing.assert_array_equal(found["exponent"][finite], exponent[finite])
    part, whole = np.modf(x)
    np.testing.assert_array_equal(found["part"], part)
    np.testing.assert_array_equal(found["whole"], whole)
    ordinary = finite & np.isfinite(y) & (y != 0)
    for a, b, rest, low in zip(
        x[ordinary].tolist(),
        y[ordinary].tolist(),
        found["rest"][ordinary].tolist(),
        found["quotient"][ordinary].tolist(),
        strict=True,
    ):
        import math
        from fractions import Fraction

        assert rest == math.remainder(a, b)
        nearest = round(Fraction(a) / Fraction(b))
        assert (abs(low) & 7) == (abs(nearest) & 7)
        assert low * nearest >= 0
