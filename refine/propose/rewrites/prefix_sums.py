"""An inclusive scan of a simdgroup by shuffles up → the collective that Metal has for it.

for (int d = 1; d < 32; d <<= 1) {               →       v = simd_prefix_inclusive_sum(v);
    const float before = simd_shuffle_up(v, d);
    if (lane >= d) v += before;
}
"""

from collections.abc import Iterator

from cu2mlx.refine.propose.rewrites.first_lane import is_lane
from cu2mlx.refine.propose.rewrites.loops import doubling, indentation, start_of
from cu2mlx.refine.propose.rewrites.operations import combination
from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.rewrite import Rewrite
from cu2mlx.refine.propose.rewrites.shuffles import LANES, WITHOUT_COLLECTIVES, declared_shuffle
from cu2mlx.refine.propose.rewrites.terms import declaration_of, expression, integer, statements
from cu2mlx.runtime.msl.tokens import Edit
from cu2mlx.transpiler.syntax import Node

_SCANS = {"sum": "simd_prefix_inclusive_sum", "product": "simd_prefix_inclusive_product"}


def edits(program: Program) -> Iterator[Edit]:
    for node in program.root.all("for_statement"):
        found = doubling(program, node)
        if found is None or integer(program, found[1]) != LANES:
            continue
        scan = _scan(program, statements(found[2]), found[0])
        if scan is not None:
            yield Edit(start_of(program, node), node.end, indentation(program, node)[0] + scan)


def _scan(program: Program, inside: list[Node], distance: str) -> str | None:
    """`v = simd_prefix_inclusive_sum(v);` for the two statements of a body."""
    if len(inside) != 2 or inside[1].kind != "if_statement" or inside[1].child("alternative") is not None:
        return None
    before = declared_shuffle(program, inside[0])
    then = statements(inside[1].need("consequence"))
    assignment = expression(then[0]) if len(then) == 1 else None
    if before is None or assignment is None or assignment.kind != "assignment_expression":
        return None
    name, shuffle = before
    value = program.of(assignment.need("left"))
    if (shuffle.direction, shuffle.value, shuffle.distance) != ("up", value, distance):
        return None
    declared = declaration_of(program, value, assignment)
    if declared is None or program.of(declared.need("type")) in WITHOUT_COLLECTIVES:
        return None
    operation = combination(program, assignment, lambda other: program.of(other) == name)
    if operation is None or operation.name not in _SCANS or not _is_from_lane(program, inside[1], distance):
        return None
    return f"{value} = {_SCANS[operation.name]}({value});"


def _is_from_lane(program: Program, branch: Node, distance: str) -> bool:
    """`lane >= distance`"""
    condition = branch.need("condition").named_children[0]
    return (
        condition.kind == "binary_expression"
        and condition.need("operator").kind == ">="
        and program.of(condition.need("right")) == distance
        and is_lane(program, condition.need("left"))
    )


PREFIX_SUMS = Rewrite(
    title="simdgroup scans",
    description="replace scans by shuffles up over 32 lanes by simd_prefix_inclusive_sum",
    score=0.66,
    difficulty=1,
    gain=1.1,
    edits=edits,
)
