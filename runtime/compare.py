"""When two runs of a kernel count as the same: tolerances by operation and type, each with its reason."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cu2mlx.runtime.dtypes import EPSILON, decode, is_float
from cu2mlx.runtime.spec.model import Spec, ToleranceOverride
from cu2mlx.runtime.spec.operations import OPERATIONS

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Tolerance:
    """An element is right if |got - expected| <= atol + rtol |expected| + scale max|expected|.

    NaN equals NaN and an infinity equals itself. All zero: bit for bit. `mismatches`: the share of elements
    that may miss all the same.
    """

    rtol: float
    atol: float
    scale: float
    why: str
    mismatches: float = 0.0

    @property
    def exact(self) -> bool:
        return self.rtol == self.atol == self.scale == self.mismatches == 0.0

    def times(self, factor: float) -> "Tolerance":
        """So many times as wide."""
        return replace(self, rtol=self.rtol * factor, atol=self.atol * factor, scale=self.scale * factor)


PIECE = 1 << 15  # elements; float64 arrays of as many stay in a cache
EXACT = Tolerance(0, 0, 0, OPERATIONS["exact"].why)


def tolerance(operation: str, dtype: str, override: ToleranceOverride | None = None) -> Tolerance:
    """The row for an operation on a type; an override replaces the entries that it names."""
    name = override.operation if override and override.operation else operation
    if name not in OPERATIONS:
        raise ValueError(f"unknown operation {name!r}; known: {', '.join(OPERATIONS)}")
    row, epsilon = OPERATIONS[name], EPSILON.get(dtype, 0.0)
    if override is None:
        return Tolerance(row.relative * epsilon, 0.0, row.scale * epsilon, row.why) if epsilon else EXACT
    rounded = 0.0
    if override.accumulate is not None and EPSILON[override.accumulate] < epsilon:
        rounded, epsilon = epsilon, EPSILON[override.accumulate]
    return Tolerance(
        rtol=row.relative * epsilon + rounded if override.rtol is None else override.rtol,
        atol=override.atol or 0.0,
        scale=row.scale * epsilon if override.scale is None else override.scale,
        why=override.why,
        mismatches=override.mismatches,
    )


@dataclass(frozen=True, slots=True)
class OutputComparison:
    """One output against what it should be. Errors are over elements finite on both sides; `max_ulp` counts
    units in the last place of the output's type at the expected value."""

    name: str
    dtype: str
    count: int
    mismatches: int
    max_abs: float
    max_rel: float
    max_ulp: float
    tolerance: Tolerance
    first_bad: tuple[int, ...] | None = None
    expected: float = 0.0  # at first_bad
    got: float = 0.0

    @property
    def same(self) -> bool:
        return self.mismatches <= self.tolerance.mismatches * self.count


@dataclass(frozen=True, slots=True)
class Comparison:
    """All outputs of one run."""

    outputs: tuple[OutputComparison, ...]

    @property
    def same(self) -> bool:
        return all(each.same for each in self.outputs)


def tolerances(spec: Spec, dtypes: Mapping[str, str], *, exact: bool = False) -> dict[str, Tolerance]:
    """The tolerance of each output of a spec that `dtypes` knows, which leaves out null pointers; `exact` asks for
    bit-for-bit equality everywhere."""
    overrides = dict(spec.tolerances)
    return {
        name: EXACT if exact else tolerance(spec.operation, dtypes[name], overrides.get(name))
        for name in spec.outputs
        if name in dtypes
    }


def compare_outputs(
    expected: "Mapping[str, Array]",
    got: "Mapping[str, Array]",
    dtypes: Mapping[str, str],
    allowed: Mapping[str, Tolerance],
) -> Comparison:
    """Compares stored arrays (bfloat16 as uint16) by name, one entry per name in `allowed`. `expected` may
    also hold float64 values from a reference where the output's type is a float."""
    return Comparison(
        tuple(compare(name, dtypes[name], expected[name], got[name], row) for name, row in allowed.items())
    )


def agree(
    expected: "Mapping[str, Array]",
    got: "Mapping[str, Array]",
    dtypes: Mapping[str, str],
    allowed: Mapping[str, Tolerance],
) -> bool:
    """`compare_outputs(…).same`, where nobody asks how far off: in a tenth of the time for large arrays that agree."""
    return all(
        _is_plainly_close(dtypes[name], expected[name], got[name], row)
        or compare(name, dtypes[name], expected[name], got[name], row).same
        for name, row in allowed.items()
    )


def compare(
    name: str, dtype: str, expected: "Array", got: "Array", allowed: Tolerance = EXACT
) -> OutputComparison:
    """Compares one output. Shapes must agree (ValueError otherwise: it is the caller's mistake)."""
    import numpy as np

    if expected.shape != got.shape:
        raise ValueError(f"output {name!r} has shape {got.shape}, expected {expected.shape}")
    stored = expected.dtype == got.dtype
    want = decode(expected, dtype) if stored and dtype in EPSILON else expected
    have = decode(got, dtype)
    if allowed.exact and stored:
        bad = _bits(expected) != _bits(got)
    else:
        bad = ~_close(want.astype(np.float64), have.astype(np.float64), allowed)
    count, wrong = int(got.size), int(np.count_nonzero(bad))
    difference, relative, ulp = _errors(want, have, dtype)
    if not wrong:
        return OutputComparison(name, dtype, count, 0, difference, relative, ulp, allowed)
    flat = int(np.argmax(bad))
    index = tuple(int(each) for each in np.unravel_index(flat, got.shape))
    return OutputComparison(
        name,
        dtype,
        count,
        wrong,
        difference,
        relative,
        ulp,
        allowed,
        index,
        float(want.reshape(-1)[flat]),
        float(have.reshape(-1)[flat]),
    )


def _bits(stored: "Array") -> "Array":
    """Each element as its bits, so that NaN equals the same NaN and -0 differs from 0."""
    import numpy as np

    return np.ascontiguousarray(stored).view(f"u{stored.dtype.itemsize}")


def _close(want: "Array", have: "Array", allowed: Tolerance) -> "Array":
    import numpy as np

    finite = np.isfinite(want)
    largest = float(np.max(np.abs(want), where=finite, initial=0.0))
    bound = allowed.atol + allowed.scale * largest
    with np.errstate(invalid="ignore", over="ignore"):
        near = np.abs(have - want) <= bound + allowed.rtol * np.abs(want)
    same: Array = (finite & near) | (want == have) | (np.isnan(want) & np.isnan(have))
    return same


def _is_plainly_close(dtype: str, expected: "Array", got: "Array", allowed: Tolerance) -> bool:
    """Whether every element is finite and close; looked at in pieces that stay in the cache."""
    import numpy as np

    if allowed.exact or expected.shape != got.shape or not got.size:
        return False
    is_stored = expected.dtype == got.dtype
    flat, other = expected.reshape(-1), got.reshape(-1)

    def wanted(place: slice) -> "Array":
        piece = flat[place]
        return (decode(piece, dtype) if is_stored else piece).astype(np.float64, copy=False)

    pieces = [slice(start, start + PIECE) for start in range(0, flat.size, PIECE)]
    largest = max(float(np.abs(wanted(piece)).max()) for piece in pieces)
    if not math.isfinite(largest):
        return False
    bound = allowed.atol + allowed.scale * largest
    with np.errstate(invalid="ignore", over="ignore"):
        for piece in pieces:
            want, have = wanted(piece), decode(other[piece], dtype)
            if not (np.abs(have - want) <= bound + allowed.rtol * np.abs(want)).all():
                return False
    return True


def _errors(want: "Array", have: "Array", dtype: str) -> tuple[float, float, float]:
    import numpy as np

    want, have = want.astype(np.float64), have.astype(np.float64)
    both = np.isfinite(want) & np.isfinite(have)
    if not both.any():
        return 0.0, 0.0, 0.0
    want, difference = np.abs(want[both]), np.abs(have[both] - want[both])
    relative = difference[want > 0] / want[want > 0]
    ulp = difference / _unit(want, dtype) if is_float(dtype) else difference
    return float(difference.max()), float(relative.max(initial=0.0)), float(ulp.max())


def _unit(magnitude: "Array", dtype: str) -> "Array":
    """One unit in the last place of `dtype` at each magnitude, not below the smallest normal number's."""
    import numpy as np

    smallest = {"float16": -14, "bfloat16": -126, "float32": -126, "float64": -1022}[dtype]
    exponent = np.maximum(np.where(magnitude > 0, np.frexp(magnitude)[1] - 1, smallest), smallest)
    unit: Array = np.ldexp(EPSILON[dtype], exponent)
    return unit


def render(comparison: Comparison) -> str:
    """One line per output, and for a failed one where it first differs and what was allowed."""
    lines: list[str] = []
    for each in comparison.outputs:
        verdict = "same" if each.same else "DIFFERS"
        lines.append(
            f"{each.name} ({each.dtype}): {verdict}, {each.mismatches} of {each.count} elements off,"
            f" max abs {each.max_abs:.3g}, rel {each.max_rel:.3g}, ulp {each.max_ulp:.3g}"
        )
        if each.first_bad is not None:
            place = ", ".join(str(axis) for axis in each.first_bad)
            lines.append(f"  first at [{place}]: {_shown(each.got)} instead of {_shown(each.expected)}")
        if not each.same:
            lines.append(f"  allowed: {describe(each.tolerance)}")
    return "\n".join(lines)


def describe(allowed: Tolerance) -> str:
    if allowed.exact:
        return f"no difference ({allowed.why})"
    parts = [
        f"rtol {allowed.rtol:.2g}",
        f"atol {allowed.atol:.2g}",
        f"{allowed.scale:.2g} of the largest value",
    ]
    if allowed.mismatches:
        parts.append(f"{allowed.mismatches:.2%} of the elements may miss")
    return f"{', '.join(parts)} ({allowed.why})"


def _shown(value: float) -> str:
    return str(int(value)) if math.isfinite(value) and value == int(value) else f"{value:.9g}"
