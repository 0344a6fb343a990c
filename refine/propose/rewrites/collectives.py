"""A butterfly of shuffles over a whole simdgroup → the collective that reduces it.

    for (int mask = 16; mask > 0; mask >>= 1)       →       v = simd_sum(v);
        v += simd_shuffle_xor(v, mask);

Both leave the sum of all 32 lanes in each of them, in another order of additions. Narrower butterflies, other
distances and shuffles down, which leave it in the first lane only, are not the same and stay.
"""

from collections.abc import Iterator

from cu2mlx.refine.propose.rewrites.loops import halving, start_of, starts_at
from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.rewrite import Rewrite
from cu2mlx.refine.propose.rewrites.terms import expression, statements
from cu2mlx.runtime.msl.tokens import Edit
from cu2mlx.transpiler.syntax import Node

LANES = 32
_COLLECTIVES = {"fmax": "simd_max", "max": "simd_max", "fmin": "simd_min", "min": "simd_min"}


def edits(program: Program) -> Iterator[Edit]:
    for node in program.root.all("for_statement"):
        found = halving(program, node)
        if found is None or not starts_at(program, found[1], LANES // 2):
            continue
        variable, _, body = found
        inside = statements(body)
        if len(inside) == 1 and (call := _collective(program, inside[0], variable)) is not None:
            yield Edit(start_of(program, node), node.end, call)


def _collective(program: Program, statement: Node, mask: str) -> str | None:
    """`v = simd_sum(v);` for `v += shuffle(v, mask);`, simd_max and simd_min for theirs."""
    assignment = expression(statement)
    if assignment is None or assignment.kind != "assignment_expression":
        return None
    value, right = program.of(assignment.need("left")), assignment.need("right")
    operator = assignment.need("operator").kind
    if operator == "+=" and _is_shuffle(program, right, value, mask):
        return f"{value} = simd_sum({value});"
    if operator == "=" and right.kind == "call_expression":
        collective = _COLLECTIVES.get(program.of(right.need("function")))
        arguments = right.need("arguments").named_children
        pairs = [(a, b) for a, b in (arguments, arguments[::-1])] if len(arguments) == 2 else []
        for own, other in pairs:
            if collective and program.of(own) == value and _is_shuffle(program, other, value, mask):
                return f"{value} = {collective}({value});"
    return None


def _is_shuffle(program: Program, node: Node, value: str, mask: str) -> bool:
    """The lane at a distance of `mask`, as the translator spells it and as people do."""
    if node.kind != "call_expression":
        return False
    function = program.of(node.need("function")).removeprefix("metal::")
    arguments = ["".join(program.of(each).split()) for each in node.need("arguments").named_children]
    distances = {mask, f"{mask}&31", f"ushort({mask})"}
    if function == "simd_shuffle_xor":
        return len(arguments) == 2 and arguments[0] == value and arguments[1] in distances
    return function == "cu::shfl_xor_sync" and arguments[:3] == [value, mask, str(LANES)]


COLLECTIVES = Rewrite(
    title="simdgroup reductions",
    description="replace shuffle butterflies over 32 lanes by simd_sum, simd_max, simd_min",
    score=0.7,
    difficulty=1,
    gain=1.2,
    edits=edits,
)
