"""Measures the float math functions in ulp against mpmath: `python -m tests.prelude.accuracy [points]`.

Writes transpiler/tables/measured.json, from which docs/math-accuracy.md and docs/builtins.md are generated
(`python -m tests.generated`). An ulp is the distance of the floats around the true value; below 2^-126 it is the
denormals' 2^-149. Points: all exponents of float, and uniform samples of the ranges where a function lives.
A float64 estimate picks the worst of them, and mpmath measures those.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

import mpmath
import numpy as np

sys.path.insert(0, str(Path(__file__).parent))  # as pytest has it

from math_references import FUNCTIONS, Array, Function
from prelude_machine import run

from cu2mlx.transpiler.tables.accuracy import Measurement, as_text

POINTS = 1 << 18
CANDIDATES = 128
_PRECISION = 120  # bits
_FILE = Path(__file__).parents[2] / "transpiler" / "tables" / "measured.json"


@dataclass(frozen=True, slots=True)
class Measured:
    """`ulp`: the largest error where the bound in ulp holds, at `worst`; `absolute`: elsewhere."""

    function: Function
    ulp: float
    worst: tuple[float, ...]
    absolute: float | None
    points: int


def samples(function: Function, points: int) -> list[Array]:
    """Arguments: half over all exponents with both signs, half uniform in the function's ranges."""
    random = np.random.default_rng(len(function.name) + abs(function.order or 0))
    columns = []
    for _ in range(function.arguments):
        bits = random.integers(0, 2**32, points // 2, dtype=np.uint64).astype(np.uint32)
        spread = bits.view(np.float32)
        spread = np.where(np.isfinite(spread), spread, np.float32(0.5))
        near = [
            random.uniform(low, high, points // 2 // len(function.ranges) + 1).astype(np.float32)
            for low, high in function.ranges
        ]
        columns.append(np.concatenate([spread, *near])[:points])
    low, high = function.domain
    inside = np.ones(points, bool)
    for column in columns:
        inside &= (column > low) & (column < high)
    if function.excluded is not None:
        inside &= (columns[0] < function.excluded[0]) | (columns[0] > function.excluded[1])
    if function.absolute is not None:
        inside &= np.abs(columns[0]) < 1e4  # mpmath is slow far out
    if function.name in ("lgamma", "tgamma"):
        inside &= (columns[0] > 0) | (columns[0] != np.floor(columns[0]))  # poles
        inside &= columns[0] > (-1e5 if function.name == "lgamma" else -50)
    kept = int(inside.sum()) // 256 * 256
    return [column[inside][:kept] for column in columns]


def error_in_ulp(found: float, true: mpmath.mpf) -> float:
    if np.isinf(found):  # right where the true value rounds there
        limit = mpmath.mpf(2) ** 128 - mpmath.mpf(2) ** 103
        return 0.0 if abs(true) >= limit and (true > 0) == (found > 0) else np.inf
    if np.isnan(found):
        return np.inf
    exponent = -126 if true == 0 else max(-126, int(mpmath.floor(mpmath.log(abs(true), 2))))
    return float(abs(mpmath.mpf(found) - true) / mpmath.mpf(2) ** (exponent - 23))


def _call(function: Function) -> str:
    arguments = ", ".join("xyzw"[: function.arguments])
    if function.order is None:
        return f"cu::{function.name}({arguments})"
    given = (arguments, function.order) if function.order_last else (function.order, arguments)
    return f"cu::{function.name}({given[0]}, {given[1]})"


def results(columns: dict[str, list[Array]]) -> dict[str, Array]:
    """What each function of FUNCTIONS (by label) returns for its arguments; one kernel for all."""
    functions = {function.label: function for function in FUNCTIONS if function.label in columns}
    cases = "".join(
        f"        case {index}: result[i] = {_call(function)}; break;\n"
        for index, function in enumerate(functions.values())
    )
    letters = [f"{letter} = in_{letter}[i]" for letter in "xyzw"]
    text = (
        "kernel void sweep(device const int* which [[buffer(0)]],"
        + "".join(f" device const float* in_{letter} [[buffer({n + 1})]]," for n, letter in enumerate("xyzw"))
        + " device float* result [[buffer(5)]], uint i [[thread_position_in_grid]]) {\n"
        f"    float {', '.join(letters)};\n    switch (which[i]) {{\n{cases}    }}\n}}\n"
    )
    sizes = [len(columns[label][0]) for label in functions]
    which = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    inputs = []
    for position in range(4):
        padded = [(c[position] if position < len(c) else np.zeros_like(c[0])) for c in columns.values()]
        inputs.append(np.concatenate(padded))
    result = np.zeros(len(which), np.float32)
    run(text, "sweep", [which, *inputs, result], len(which) // 256, 256)
    return dict(zip(functions, np.split(result, np.cumsum(sizes)[:-1]), strict=True))


def estimated_error(found: Array, true: Array) -> Array:
    """Errors in ulp against float64 values, infinite where only one is finite: tells where to look."""
    finite, expected = np.isfinite(found), np.abs(true) < np.finfo(np.float32).max
    with np.errstate(all="ignore"):
        exponent = np.clip(np.floor(np.log2(np.abs(true))), -126, 127)
        error = np.abs(found.astype(np.float64) - true) / 2.0 ** (exponent - 23)
    return np.where(finite & expected, error, np.where(finite == expected, 0.0, np.inf))


def measure(points: int, candidates: int) -> list[Measured]:
    """Runs every function on `points` arguments and compares the `candidates` worst, and as many others, exactly."""
    columns = {function.label: samples(function, points) for function in FUNCTIONS}
    found = results(columns)
    return [
        _measure_one(function, columns[function.label], found[function.label], candidates)
        for function in FUNCTIONS
    ]


def _measure_one(function: Function, columns: list[Array], found: Array, candidates: int) -> Measured:
    with np.errstate(all="ignore"):
        estimate = function.estimate(*(column.astype(np.float64) for column in columns))
    far = np.abs(columns[0]) >= (np.inf if function.far is None else function.far)
    error = np.where(far, 0.0, estimated_error(found, estimate))
    with np.errstate(invalid="ignore"):
        distance = np.where(far, np.abs(found - estimate), 0.0)
    spread = np.linspace(0, len(found) - 1, candidates).astype(int)
    chosen = {*np.argsort(error)[-candidates:].tolist(), *spread.tolist()}
    chosen |= set(np.argsort(distance)[-candidates:].tolist()) if far.any() else set()
    worst, where, absolute = 0.0, tuple(float(c[0]) for c in columns), None
    with mpmath.workprec(_PRECISION):
        for index in sorted(chosen):
            row = [float(column[index]) for column in columns]
            true = function.value(*(mpmath.mpf(v) for v in row))
            if far[index]:
                absolute = max(absolute or 0.0, float(abs(mpmath.mpf(float(found[index])) - true)))
                continue
            ulp = error_in_ulp(float(found[index]), true)
            if ulp > worst:
                worst, where = ulp, tuple(row)
    return Measured(function, worst, where, absolute, len(found))


def recorded(item: Measured) -> Measurement:
    function = item.function
    relative = bool(np.isfinite(function.bound))
    return Measurement(
        function.name,
        function.label,
        round(item.ulp, 4) if relative else None,
        item.worst if relative else (),
        function.bound if relative else None,
        function.excluded,
        function.far,
        item.absolute,
        function.absolute,
        item.points,
    )


def main() -> None:
    points = int(sys.argv[1]) if len(sys.argv) > 1 else POINTS
    _FILE.write_text(as_text([recorded(item) for item in measure(points, CANDIDATES)]), encoding="utf-8")


if __name__ == "__main__":
    main()
