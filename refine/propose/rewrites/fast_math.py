"""precise::f(x) → fast::f(x), a / b of floats → fast::divide(a, b), log1p(x) → fast::log(1 + x).

Less exact by design: a few units in the last place, and log1p keeps the absolute error alone. Whether a task's
tolerances bear it is for the evaluation to say.
"""

from collections.abc import Iterator

from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.rewrite import Rewrite
from cu2mlx.refine.propose.rewrites.terms import is_float
from cu2mlx.runtime.msl.tokens import Edit
from cu2mlx.transpiler.syntax import Node

_PRECISE = ("precise::", "metal::precise::")


def edits(program: Program) -> Iterator[Edit]:
    for function in _functions(program):
        for call in function.all("call_expression"):
            called = call.need("function")
            text = program.of(called)
            if text.startswith(_PRECISE):
                yield Edit(called.start, called.end, text.replace("precise::", "fast::", 1))
            elif text == "cu::log1p":
                inside = call.need("arguments")
                yield Edit(called.start, called.end, "fast::log")
                yield Edit(inside.start, inside.start + 1, "(1.0f + ")
        for division in function.all("binary_expression"):
            if division.need("operator").kind == "/" and is_float(program, division):
                yield from _divided(program, division)


def _functions(program: Program) -> Iterator[Node]:
    """All bodies but those of the support library, whose exactness is its purpose."""
    for body in program.functions:
        space = body.above("namespace_definition")
        if space is None or program.of(space).split("{")[0].split() != ["namespace", "cu"]:
            yield body


def _divided(program: Program, division: Node) -> Iterator[Edit]:
    """Pieces, not the whole: either side may hold more to change."""
    left, right = division.need("left"), division.need("right")
    yield Edit(left.start, left.start, "fast::divide(")
    yield Edit(left.end, right.start, ", ")
    yield Edit(right.end, right.end, ")")


FAST_MATH = Rewrite(
    title="fast math",
    description="use the fast variants of precise functions, of float divisions and of log1p",
    score=0.5,
    difficulty=1,
    gain=1.1,
    edits=edits,
)
