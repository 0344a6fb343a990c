"""The two passes of a softmax, for the maximum and for the sum, in one that keeps a running maximum.

    for (…c…) m = fmax(m, E(c));              for (…c…) {
    m = reduce(m);                                const float larger = fmax(m, E(c));
    float s = 0.0f;                               s = s * exp(m - larger) + exp(E(c) - larger);
    for (…c…) s += exp(E(c) - m);        →        m = larger;
                                              }
                                              const float own_maximum = m;
                                              m = reduce(m);
                                              if (s != 0.0f) s *= exp(own_maximum - m);

A thread's own sum is relative to its own maximum until the maximum of all is known (Milakov & Gimelshein 2018). The
data is read once less. In the loop scores that are infinite, as masks make them, are not subtracted from each other;
after it they are, where the original does that: a row whose maximum is infinite comes to NaN in both. A thread without
elements keeps its zero.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from cu2mlx.refine.propose.rewrites.calls import arguments
from cu2mlx.refine.propose.rewrites.loops import Loop, counting, start_of
from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.rewrite import Rewrite
from cu2mlx.refine.propose.rewrites.terms import (
    assigned,
    declaration_of,
    expression,
    fresh,
    names,
    statements,
    uses,
)
from cu2mlx.runtime.msl.tokens import Edit
from cu2mlx.transpiler.syntax import Node

_EXPONENTIALS = frozenset({"exp", "fast::exp", "precise::exp", "metal::exp"})
_MAXIMA = frozenset({"fmax", "max"})


@dataclass(frozen=True, slots=True)
class Pass:
    """A loop that gathers one value: `maximum = fmax(maximum, score)` or `sum += exp(score - maximum)`."""

    loop: Loop
    result: str
    score: Node
    function: str


def edits(program: Program) -> Iterator[Edit]:
    """Of the first softmax that is found."""
    for block in program.root.all("compound_statement"):
        inside = [each for each in statements(block) if each.kind != "preproc_call"]
        for place, statement in enumerate(inside):
            first = _maximum_pass(program, statement)
            if first is None:
                continue
            for later in range(place + 1, min(place + 5, len(inside))):
                second = _sum_pass(program, inside[later], first)
                if second is not None and _may_join(program, first, second, inside[place + 1 : later]):
                    yield from _joined(program, first, second, inside[place + 1 : later])
                    return


def _maximum_pass(program: Program, statement: Node) -> Pass | None:
    loop = counting(program, statement)
    assignment = None if loop is None else _only_assignment(loop)
    if loop is None or assignment is None or assignment.need("operator").kind != "=":
        return None
    result, call = program.of(assignment.need("left")), assignment.need("right")
    if call.kind != "call_expression" or program.of(call.need("function")) not in _MAXIMA:
        return None
    given = arguments(call)
    is_of_result = len(given) == 2 and program.of(given[0]) == result
    if not is_of_result or not _is_float_variable(program, result, call):
        return None
    return Pass(loop, result, given[1], program.of(call.need("function")))


def _sum_pass(program: Program, statement: Node, first: Pass) -> Pass | None:
    loop = counting(program, statement)
    assignment = None if loop is None else _only_assignment(loop)
    if loop is None or assignment is None or assignment.need("operator").kind != "+=":
        return None
    result, call = program.of(assignment.need("left")), assignment.need("right")
    if call.kind != "call_expression" or program.of(call.need("function")) not in _EXPONENTIALS:
        return None
    difference = arguments(call)[0]
    if difference.kind != "binary_expression" or difference.need("operator").kind != "-":
        return None
    same_score = program.squeezed(difference.need("left")) == program.squeezed(first.score)
    same_maximum = program.of(difference.need("right")) == first.result
    if not same_score or not same_maximum or not _is_float_variable(program, result, call):
        return None
    return Pass(loop, result, difference.need("left"), program.of(call.need("function")))


def _only_assignment(loop: Loop) -> Node | None:
    """Of a loop that does nothing else than change one variable."""
    inside = statements(loop.body)
    found = expression(inside[0]) if len(inside) == 1 else None
    if found is None or found.kind != "assignment_expression" or found.need("left").kind != "identifier":
        return None
    return found


def _is_float_variable(program: Program, name: str, place: Node) -> bool:
    declared = declaration_of(program, name, place)
    return declared is not None and program.of(declared.need("type")) == "float"


def _may_join(program: Program, first: Pass, second: Pass, between: list[Node]) -> bool:
    """The loops go over the same; between them the maximum is made everybody's and the sum set to zero, nothing
    else that either pass knows is changed."""
    heads = [program.squeezed(part) for each in (first, second) for part in _head(each.loop)]
    if heads[: len(heads) // 2] != heads[len(heads) // 2 :]:
        return False
    if (first.loop.variable, first.loop.type) != (second.loop.variable, second.loop.type):
        return False
    zero = [each for each in between if program.squeezed(each) == f"float{second.result}=0.0f;"]
    rest = [each for each in between if each not in zero]
    if len(zero) != 1 or len(rest) != 1 or not uses(program, first.result, rest[0]):
        return False
    read = names(program, first.loop.node) - {first.result}
    changed = assigned(program, rest[0])
    return (
        first.result in changed
        and first.result not in names(program, first.score)
        and read.isdisjoint({second.result, *changed})
    )


def _head(loop: Loop) -> list[Node]:
    return [loop.start, loop.limit, *([] if loop.step is None else [loop.step])]


def _joined(program: Program, first: Pass, second: Pass, between: list[Node]) -> Iterator[Edit]:
    maximum, total, exp = first.result, second.result, second.function
    zero = next(each for each in between if program.squeezed(each) == f"float{total}=0.0f;")
    reduction = next(each for each in between if each is not zero)
    score, larger, own = (fresh(program, each) for each in ("score", "larger", "own_maximum"))
    head = program.text[first.loop.node.start : first.loop.body.start].rstrip()
    yield Edit(
        start_of(program, first.loop.node),
        first.loop.node.end,
        f"""float {total} = 0.0f;
{head} {{
    const float {score} = {program.of(first.score)};
    const float {larger} = {first.function}({maximum}, {score});
    if ({score} == {larger})
        {total} = ({maximum} == {larger} ? {total} : {total} * {exp}({maximum} - {larger})) + 1.0f;
    else
        {total} += {exp}({score} - {larger});
    {maximum} = {larger};
}}
const float {own} = {maximum};""",
    )
    yield Edit(zero.start, zero.end, "")
    yield Edit(
        reduction.end,
        reduction.end,
        f"\nif ({total} != 0.0f)\n    {total} *= {exp}({own} - {maximum});",
    )
    yield Edit(start_of(program, second.loop.node), second.loop.node.end, "")


ONLINE_SOFTMAX = Rewrite(
    title="one-pass softmax",
    description="compute the maximum and the sum of a softmax in one pass with a running maximum",
    score=0.6,
    difficulty=3,
    gain=1.3,
    edits=edits,
)
