"""Measured errors of the support library's functions: measured.json, and what the documents say of it.

`python -m tests.prelude.accuracy` measures and writes the file.
"""

import json
import re
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files

from cu2mlx.transpiler.tables.row import MEASURED, Builtin


@dataclass(frozen=True, slots=True)
class Measurement:
    """The largest errors of one function. `ulp` at `at`, of `bound` that CUDA states, for arguments below `far`
    and outside `excluded`; `absolute`, of `absolute_bound`, from `far` on. None where there is no such part."""

    name: str
    label: str
    ulp: float | None
    at: tuple[float, ...]
    bound: float | None
    excluded: tuple[float, float] | None
    far: float | None
    absolute: float | None
    absolute_bound: float | None
    points: int


_FILE = "measured.json"
_PARTS = {"sincospi": ("sinpi", "cospi")}  # functions that are two measured ones

_HEAD = """# Accuracy of the math functions that Metal lacks

Generated from `transpiler/tables/measured.json`, which `python -m tests.prelude.accuracy` measures; the support
library's own float implementations, run on the CPU machine, against mpmath at 120 bits. Errors are maxima over the
points, in ulp of the true value: float64 values tell the worst of the points, mpmath measures them. CUDA's column
is the bound that the CUDA C++ Programming Guide states for the same function (for powi, that of powf). The
implementations use only +, −, ×, ÷, fma, square root, rint and bit operations (Bessel functions from 8 on also
Metal's sine and cosine), so the numbers carry over to a GPU that keeps denormals and does not contract; a GPU that
flushes denormals returns zero where a result is below 2⁻¹²⁶. Nothing here was measured on Apple hardware.

| Function | Max error (ulp) | At | CUDA's bound (ulp) | Max absolute error | CUDA's bound | Points |
|---|---|---|---|---|---|---|
"""


@cache
def measurements() -> tuple[Measurement, ...]:
    """Everything in measured.json, in the order of the page."""
    text = (files("cu2mlx.transpiler.tables") / _FILE).read_text(encoding="utf-8")
    return tuple(_read(each) for each in json.loads(text))


def as_text(measured: list[Measurement]) -> str:
    """The contents of measured.json."""
    return json.dumps([asdict(each) for each in measured], indent=1) + "\n"


def accuracy_of(row: Builtin) -> str:
    """A row's accuracy, with the measured errors where it was measured."""
    name = re.search(r"cu::(\w+)", row.spelling or "")
    if row.accuracy != MEASURED or name is None:
        return row.accuracy
    names = _PARTS.get(name[1], (name[1],))
    found = [each for each in measurements() if each.name in names]
    relative = max((each.ulp for each in found if each.ulp is not None), default=None)
    absolute = max((each.absolute for each in found if each.absolute is not None), default=None)
    parts = [f"{relative:.2f} ulp"] if relative is not None else []
    parts += [f"{absolute:.1e} absolute{' far from 0' if parts else ''}"] if absolute is not None else []
    return f"{', '.join(parts)}, measured"


def page() -> str:
    """The text of docs/math-accuracy.md."""
    return _HEAD + "".join(_line(each) for each in measurements())


def _read(fields: dict[str, object]) -> Measurement:
    tuples = {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}
    return Measurement(**tuples)  # type: ignore[arg-type]


def _line(each: Measurement) -> str:
    absolute = "" if each.absolute is None else f"{each.absolute:.1e}"
    bound = "" if each.absolute_bound is None else f"{each.absolute_bound:.1e} from {each.far:g} on"
    if each.ulp is None:
        return f"| {each.label} | | | | {absolute} | {bound} | {each.points} |\n"
    at = ", ".join(f"{value:.9g}" for value in each.at)
    region = "" if each.far is None else f" for abs(x) < {each.far:g}"
    if each.excluded is not None:
        region = f" outside {each.excluded[0]:g} … {each.excluded[1]:g}"
    stated = "" if each.bound is None else f"{each.bound:g}{region}"
    return f"| {each.label} | {each.ulp:.2f} | {at} | {stated} | {absolute} | {bound} | {each.points} |\n"
