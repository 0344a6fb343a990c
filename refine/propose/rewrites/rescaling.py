"""Loops that do nothing but multiply by an exponential of a difference: left out where that is 1.

    const float f = exp(m - m_new);              const float f = exp(m - m_new);
    for (…) acc[i] *= f;                  →      if (f != 1.0f) {
                                                     for (…) acc[i] *= f;
                                                 }

A running softmax scales its results whenever the maximum moves, which after the first keys is seldom. A product with 1
is what it was, so nothing has to be proved but that the loop does nothing else.
"""

import textwrap
from collections.abc import Iterator

from cu2mlx.refine.propose.rewrites.calls import arguments, called_name
from cu2mlx.refine.propose.rewrites.loops import counting, indentation, start_of
from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.rewrite import Rewrite
from cu2mlx.refine.propose.rewrites.terms import constant_value, expression, is_float, statements, uses
from cu2mlx.runtime.msl.tokens import Edit
from cu2mlx.transpiler.syntax import Node

_EXPONENTIALS = frozenset({"exp", "exp2"})


def edits(program: Program) -> Iterator[Edit]:
    for node in program.root.all("for_statement"):
        factor = _factor(program, node)
        if factor is None or _is_guarded(program, node, factor):
            continue
        start, (first, indent) = start_of(program, node), indentation(program, node)
        loop = ("" if first else indent) + program.text[start : node.end]
        inside = textwrap.indent(loop, "    ", lambda line: not line.startswith("#"))
        yield Edit(start, node.end, f"{first}if ({program.of(factor)} != 1.0f) {{\n{inside}\n{indent}}}")


def _factor(program: Program, node: Node) -> Node | None:
    """What a loop multiplies by, where that is all it does, and an exponential of a difference."""
    loop = counting(program, node)
    inside = [] if loop is None else statements(loop.body)
    product = expression(inside[0]) if len(inside) == 1 else None
    if product is None or product.kind != "assignment_expression" or product.need("operator").kind != "*=":
        return None
    scaled, factor = product.need("left"), product.need("right")
    if factor.kind != "identifier" or uses(program, program.of(factor), scaled):
        return None
    if not is_float(program, factor):
        return None
    value = constant_value(program, factor)
    if value is None or value.kind != "call_expression":
        return None
    is_exponential = program.of(called_name(value)) in _EXPONENTIALS
    return factor if is_exponential and any(map(_is_difference, arguments(value))) else None


def _is_difference(node: Node) -> bool:
    return any(each.need("operator").kind == "-" for each in node.all("binary_expression"))


def _is_guarded(program: Program, node: Node, factor: Node) -> bool:
    condition = node.above("if_statement")
    return condition is not None and bool(uses(program, program.of(factor), condition.need("condition")))


RESCALING = Rewrite(
    title="rescaling only when the maximum moves",
    description="leave out loops that multiply by an exponential that is 1",
    score=0.55,
    difficulty=1,
    gain=1.05,
    edits=edits,
)
