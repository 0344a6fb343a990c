"""Reductions of a simdgroup by shuffles → the collective that Metal has for them.

    for (int mask = 16; mask > 0; mask >>= 1)       →       v = simd_sum(v);
        v += simd_shuffle_xor(v, mask);

Both leave the sum of all 32 lanes in each of them, in another order of additions. Shuffles down leave it in the first
lane only: they are replaced where no other lane's value is read (`first_lane`). Where the number of lanes is a
constant of an instance, there is a branch for each number that has collectives. A reduction by an object of the
text's own class asks an overload for the class.
"""

from collections.abc import Iterator

from cu2mlx.refine.propose.rewrites.first_lane import FirstLane
from cu2mlx.refine.propose.rewrites.functors import finds_overloads, overloads
from cu2mlx.refine.propose.rewrites.loops import indentation
from cu2mlx.refine.propose.rewrites.operations import Operation
from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.rewrite import Rewrite
from cu2mlx.refine.propose.rewrites.shuffles import LANES, QUAD, WITHOUT_COLLECTIVES, Reduction, reductions
from cu2mlx.refine.propose.rewrites.terms import declaration_of
from cu2mlx.runtime.msl.tokens import Edit


def edits(program: Program) -> Iterator[Edit]:
    found = [each for each in reductions(program) if _has_collective(program, each)]
    helpers = overloads(program)
    with_functors = [each for each in found if _is_by_functor(each)]
    if helpers and with_functors:
        at = len(program.candidate.header)
        yield Edit(at, at, helpers)
    for each in found:
        if each not in with_functors or (helpers and finds_overloads(program, each.nodes[0])):
            yield from _replaced(program, each)


def _is_by_functor(reduction: Reduction) -> bool:
    return any(operation.functor for _, operation in reduction.values)


def _has_collective(program: Program, reduction: Reduction) -> bool:
    if reduction.width.isdecimal() and reduction.width not in _prefixes(reduction):
        return False
    branch = reduction.nodes[0].above("if_statement")
    if branch is not None and program.of(branch.need("condition")).startswith(f"({reduction.width} == "):
        return False  # what is left for other widths
    types = [
        program.of(declared.need("type"))
        for value, _ in reduction.values
        if (declared := declaration_of(program, value.split("[")[0], reduction.nodes[0])) is not None
    ]
    if not WITHOUT_COLLECTIVES.isdisjoint(types):
        return False
    if reduction.direction == "xor":
        return True
    follower = FirstLane(program)
    return reduction.direction == "down" and all(
        follower.alone_reads(value, reduction.nodes[-1]) for value, _ in reduction.values
    )


def _prefixes(reduction: Reduction) -> dict[str, str]:
    """Of the names of collectives, by their number of lanes."""
    is_whole = reduction.direction == "down" or _is_by_functor(reduction)
    return {str(LANES): "simd"} if is_whole else {str(LANES): "simd", str(QUAD): "quad"}


def _replaced(program: Program, reduction: Reduction) -> Iterator[Edit]:
    start, end, prefixes = reduction.start, reduction.nodes[-1].end, _prefixes(reduction)
    first, indent = indentation(program, reduction.nodes[0])
    if reduction.width.isdecimal():
        calls = _calls(reduction, prefixes[reduction.width])
        yield Edit(start, end, first + f"\n{indent}".join(calls))
        return
    branches = []
    for width, prefix in prefixes.items():
        calls = [f"{indent}    {each}\n" for each in _calls(reduction, prefix)]
        branches.append(f"if ({reduction.width} == {width}) {{\n{''.join(calls)}{indent}}} else ")
    yield Edit(start, start, f"{first}{''.join(branches)}{{\n")
    yield Edit(end, end, f"\n{indent}}}")


def _calls(reduction: Reduction, prefix: str) -> list[str]:
    return [f"{value} = {_call(value, operation, prefix)};" for value, operation in reduction.values]


def _call(value: str, operation: Operation, prefix: str) -> str:
    if operation.functor:
        return f"simd_reduced({operation.functor}, {value})"
    return f"{prefix}_{operation.name}({value})"


COLLECTIVES = Rewrite(
    title="simdgroup reductions",
    description="replace reductions by shuffles over 32 lanes by simd_sum, simd_max and their like",
    score=0.7,
    difficulty=1,
    gain=1.2,
    edits=edits,
)
