"""Divisions by a float that a loop does not change → multiplications by its reciprocal, computed once before it.

The quotient may differ in its last bit. Integer divisions stay: a reciprocal does not round as they do.
"""

from collections.abc import Iterator

from cu2mlx.refine.propose.rewrites.loops import Hoisted, outermost_without_change
from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.rewrite import Rewrite
from cu2mlx.refine.propose.rewrites.terms import is_float
from cu2mlx.runtime.msl.tokens import Edit


def edits(program: Program) -> Iterator[Edit]:
    hoisted = Hoisted(program)
    for division in program.root.all("binary_expression"):
        divisor = division.need("right")
        is_division = division.need("operator").kind == "/" and divisor.kind == "identifier"
        if not is_division or not is_float(program, divisor):
            continue
        loop, name = outermost_without_change(program, divisor), program.of(divisor)
        if loop is not None:
            inverse = hoisted.named(loop, f"1.0f / {name}", f"inverse_{name}")
            yield Edit(division.need("left").end, divisor.end, f" * {inverse}")
    yield from hoisted.edits()


RECIPROCALS = Rewrite(
    title="reciprocals",
    description="multiply by a reciprocal computed once instead of dividing in loops",
    score=0.45,
    difficulty=1,
    gain=1.05,
    edits=edits,
)
