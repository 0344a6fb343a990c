"""The float math functions of the support library: true values, where to test, and CUDA's own error bounds.

`bound` is the maximum error in ulp that the CUDA C++ Programming Guide states for the float function (appendix
"Mathematical Functions", full range); `absolute` its absolute bound where it gives one from `far` on.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mpmath
import numpy as np
from scipy import special

Array = np.ndarray[Any, Any]
Number = Any  # mpmath.mpf


@dataclass(frozen=True, slots=True)
class Function:
    """`value` maps mpmath numbers to one, `estimate` float64 arrays to one, to find candidates for the worst point.

    `ranges`: intervals to sample, beside all of float's exponents. `bound` in ulp holds outside `excluded`, and
    below `far` where there is an `absolute` bound from there on.
    """

    name: str
    value: Callable[..., Number]
    estimate: Callable[..., Array]
    bound: float
    ranges: tuple[tuple[float, float], ...]
    domain: tuple[float, float] = (-np.inf, np.inf)
    absolute: float | None = None
    far: float | None = None
    order: int | None = None
    excluded: tuple[float, float] | None = None
    arguments: int = 1
    order_last: bool = False

    @property
    def label(self) -> str:
        return f"{self.name}f" if self.order is None else f"{self.name}f, n = {self.order}"


def _root2() -> Number:
    return mpmath.sqrt(2)


def _erfcx(x: Number) -> Number:
    return mpmath.exp(x * x) * mpmath.erfc(x)


def _erfcinv(y: Number) -> Number:
    """Newton on log(erfc), from the asymptotic form; mpmath's erfinv needs 1 - y exactly."""
    if y >= 1:
        return mpmath.erfinv(1 - y) if y < 2 - mpmath.mpf(10) ** -3 else -_erfcinv(2 - y)
    if y > mpmath.mpf("0.05"):
        return mpmath.erfinv(1 - y)
    w = -mpmath.log(y * (2 - y))
    v = mpmath.sqrt(w - mpmath.log(mpmath.sqrt(w) * mpmath.sqrt(mpmath.pi)))
    for _ in range(8):
        tail = mpmath.erfc(v)
        v += (mpmath.log(tail) - mpmath.log(y)) * tail * mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(v * v)
    return v


def _normcdf(x: Number) -> Number:
    return mpmath.erfc(-x / _root2()) / 2


def _normcdfinv(p: Number) -> Number:
    return -_root2() * _erfcinv(2 * p)


def _cbrt(x: Number) -> Number:
    return mpmath.sign(x) * mpmath.cbrt(abs(x))


def _sinpi_estimate(x: Array) -> Array:
    turns = x - 2 * np.rint(x / 2)
    quarter = np.rint(2 * turns)
    rest = np.pi * (turns - quarter / 2)
    return np.choose(quarter.astype(int) % 4, [np.sin(rest), np.cos(rest), -np.sin(rest), -np.cos(rest)])


def _cospi_estimate(x: Array) -> Array:
    turns = x - 2 * np.rint(x / 2)
    quarter = np.rint(2 * turns)
    rest = np.pi * (turns - quarter / 2)
    return np.choose(quarter.astype(int) % 4, [np.cos(rest), -np.sin(rest), -np.cos(rest), np.sin(rest)])


def _norm_estimate(*x: Array) -> Array:
    return np.sqrt(sum(v * v for v in x))


FUNCTIONS: tuple[Function, ...] = (
    Function("erf", mpmath.erf, special.erf, 2, ((-4, 4), (-1.1, 1.1))),
    Function("erfc", mpmath.erfc, special.erfc, 4, ((-4, 10.1), (0.4, 4))),
    Function("erfinv", mpmath.erfinv, special.erfinv, 2, ((-1, 1), (-0.9, 0.9)), (-1, 1)),
    Function("erfcinv", _erfcinv, special.erfcinv, 4, ((0, 2), (0, 0.3)), (0, 2)),
    Function("erfcx", _erfcx, special.erfcx, 4, ((-9.4, 20), (-1, 5))),
    Function("normcdf", _normcdf, special.ndtr, 5, ((-14.2, 6), (-1, 1))),
    Function("normcdfinv", _normcdfinv, special.ndtri, 5, ((0, 1), (0, 0.1)), (0, 1)),
    Function("expm1", mpmath.expm1, np.expm1, 1, ((-18, 89), (-1, 1))),
    Function("log1p", mpmath.log1p, np.log1p, 1, ((-1, 3), (-0.1, 0.1)), (-1, np.inf)),
    Function("exp10", lambda x: mpmath.power(10, x), special.exp10, 2, ((-45, 38.6), (-1, 1))),
    Function("cbrt", _cbrt, np.cbrt, 1, ((1, 8),)),
    Function("rcbrt", lambda x: 1 / _cbrt(x), lambda x: 1 / np.cbrt(x), 1, ((1, 8),)),
    Function("sinpi", mpmath.sinpi, _sinpi_estimate, 1, ((-4, 4), (-0.3, 0.3))),
    Function("cospi", mpmath.cospi, _cospi_estimate, 1, ((-4, 4), (0.4, 0.6))),
    Function(
        "lgamma",
        lambda x: mpmath.log(abs(mpmath.gamma(x))) if x < 1000 else mpmath.loggamma(x),
        special.gammaln,
        6,
        ((0, 4), (0.9, 2.1), (3, 100), (-2.2, 0)),
        excluded=(-10.001, -2.264),
    ),
    Function("tgamma", mpmath.gamma, special.gamma, 5, ((0, 35), (-42, 0), (-1, 3))),
    *(
        Function(
            f"j{n}",
            lambda x, n=n: mpmath.besselj(n, x),  # type: ignore[misc]
            lambda x, n=n: special.jn(n, x),  # type: ignore[misc]
            9,
            ((-8, 8), (2, 8), (8, 200)),
            absolute=2.2e-6,
            far=8,
        )
        for n in (0, 1)
    ),
    *(
        Function(
            f"y{n}",
            lambda x, n=n: mpmath.bessely(n, x),  # type: ignore[misc]
            lambda x, n=n: special.yn(n, x),  # type: ignore[misc]
            9,
            ((0, 8), (0.5, 3), (8, 200)),
            (0, np.inf),
            absolute=2.2e-6,
            far=8,
        )
        for n in (0, 1)
    ),
    *(
        Function(
            "jn",
            lambda x, n=n: mpmath.besselj(n, x),  # type: ignore[misc]
            lambda x, n=n: special.jn(n, x),  # type: ignore[misc]
            np.inf,
            ((0, 2.0 * n + 8),),
            absolute=2.2e-6,
            far=0,
            order=n,
        )
        for n in (2, 7, 128)
    ),
    *(
        Function(
            "yn",
            lambda x, n=n: mpmath.bessely(n, x),  # type: ignore[misc]
            lambda x, n=n: special.yn(n, x),  # type: ignore[misc]
            float(np.ceil(2 + 2.5 * n)),
            ((0.5, n), (n, 3.0 * n + 8)),
            (0, np.inf),
            absolute=2.2e-6,
            far=n,
            order=n,
        )
        for n in (2, 7, 128)
    ),
    *(
        Function(
            "powi",
            lambda x, n=n: x**n,  # type: ignore[misc]
            lambda x, n=n: x**n,  # type: ignore[misc]
            4,  # of powf: CUDA has none for a whole exponent
            ((-3, 3), (0.5, 2)),
            order=n,
            order_last=True,
        )
        for n in (2, 3, 10, 101, -1, -7)
    ),
    Function("cyl_bessel_i0", lambda x: mpmath.besseli(0, x), special.i0, 6, ((-91, 91), (0, 8))),
    Function("cyl_bessel_i1", lambda x: mpmath.besseli(1, x), special.i1, 6, ((-91, 91), (0, 8))),
    Function("hypot", mpmath.hypot, _norm_estimate, 3, ((-2, 2),), arguments=2),
    Function(
        "rhypot",
        lambda x, y: 1 / mpmath.hypot(x, y),
        lambda *x: 1 / _norm_estimate(*x),
        2,
        ((-2, 2),),
        arguments=2,
    ),
    Function(
        "norm3d", lambda *x: mpmath.sqrt(sum(v * v for v in x)), _norm_estimate, 3, ((-2, 2),), arguments=3
    ),
    Function(
        "rnorm3d",
        lambda *x: 1 / mpmath.sqrt(sum(v * v for v in x)),
        lambda *x: 1 / _norm_estimate(*x),
        2,
        ((-2, 2),),
        arguments=3,
    ),
    Function(
        "norm4d", lambda *x: mpmath.sqrt(sum(v * v for v in x)), _norm_estimate, 3, ((-2, 2),), arguments=4
    ),
    Function(
        "rnorm4d",
        lambda *x: 1 / mpmath.sqrt(sum(v * v for v in x)),
        lambda *x: 1 / _norm_estimate(*x),
        2,
        ((-2, 2),),
        arguments=4,
    ),
)
