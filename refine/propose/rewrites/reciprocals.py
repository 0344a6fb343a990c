"""Divisions by a float that a loop does not change → multiplications by its reciprocal, computed once before it.

The quotient may differ in its last bit. Integer divisions stay: a reciprocal does not round as they do.
"""

from collections.abc import Iterator

from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.rewrite import Rewrite
from cu2mlx.refine.propose.rewrites.terms import assigned, is_float, names
from cu2mlx.runtime.msl.tokens import Edit
from cu2mlx.transpiler.syntax import Node

_LOOPS = ("for_statement", "while_statement", "do_statement")


def edits(program: Program) -> Iterator[Edit]:
    taken = names(program, program.root)
    hoisted: set[tuple[int, str]] = set()
    for division in program.root.all("binary_expression"):
        divisor = division.need("right")
        if (
            division.need("operator").kind != "/"
            or divisor.kind != "identifier"
            or not is_float(program, divisor)
        ):
            continue
        name, loop = program.of(divisor), _outermost(program, divisor)
        inverse = f"inverse_{name}"
        if (
            loop is None
            or inverse in taken
            or loop.parent is None
            or loop.parent.kind != "compound_statement"
        ):
            continue
        if (loop.start, name) not in hoisted:
            hoisted.add((loop.start, name))
            yield Edit(loop.start, loop.start, f"const float {inverse} = 1.0f / {name};\n")
        yield Edit(division.need("left").end, divisor.end, f" * {inverse}")


def _outermost(program: Program, name: Node) -> Node | None:
    """The outermost loop around a name that does not change it."""
    found, loop = None, name.above(*_LOOPS)
    while loop is not None and program.of(name) not in assigned(program, loop):
        found, loop = loop, loop.above(*_LOOPS)
    return found


RECIPROCALS = Rewrite(
    title="reciprocals",
    description="multiply by a reciprocal computed once instead of dividing in loops",
    score=0.45,
    difficulty=1,
    gain=1.05,
    edits=edits,
)
