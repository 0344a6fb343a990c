"""Reductions of a simdgroup by shuffles: a loop over distances, or five statements for 16, 8, 4, 2 and 1."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cu2mlx.refine.propose.rewrites.calls import arguments, called
from cu2mlx.refine.propose.rewrites.loops import doubling, halving, start_of
from cu2mlx.refine.propose.rewrites.operations import Operation, combination
from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.terms import declaration_of, expression, integer, statements
from cu2mlx.transpiler.syntax import Node

LANES, QUAD = 32, 4
WITHOUT_COLLECTIVES = frozenset({"long", "ulong", "bool", "size_t"})
_SHUFFLES = {
    "simd_shuffle_xor": "xor",
    "cu::lane_xor": "xor",
    "cu::shfl_xor_sync": "xor",
    "simd_shuffle_down": "down",
    "cu::lane_down": "down",
    "cu::shfl_down_sync": "down",
    "simd_shuffle_up": "up",
    "cu::lane_up": "up",
}
_DISTANCE = re.compile(rf"(?:ushort\()?(?P<distance>\w+)\)?(?:&{LANES - 1})?")  # as a number or a name
_DISTANCES = {str(1 << bit) for bit in range(5)}


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The value of the lane at a distance: `direction` is xor, down or up."""

    direction: str
    value: str
    distance: str


@dataclass(frozen=True, slots=True)
class Reduction:
    """`values` and what each is combined by, over `width` lanes (an expression). `start`: with its pragma."""

    nodes: Sequence[Node]
    start: int
    direction: str
    values: tuple[tuple[str, Operation], ...]
    width: str


def shuffle(program: Program, node: Node, width: str = str(LANES)) -> Shuffle | None:
    if node.kind != "call_expression":
        return None
    function = called(program, node)
    texts = [program.squeezed(each) for each in arguments(node)]
    is_segmented = function.endswith("_sync")
    if function not in _SHUFFLES or len(texts) < 2 + is_segmented or (is_segmented and texts[2] != width):
        return None
    spelled = _DISTANCE.fullmatch(texts[1])
    return Shuffle(_SHUFFLES[function], texts[0], texts[1] if spelled is None else spelled["distance"])


def reductions(program: Program) -> Iterator[Reduction]:
    for node in program.root.all("for_statement"):
        if (found := _loop(program, node)) is not None:
            yield found
    for block in program.root.all("compound_statement"):
        inside = statements(block)
        for first in range(len(inside) - len(_DISTANCES) + 1):
            found = _unrolled(program, inside[first : first + len(_DISTANCES)])
            if found is not None:
                yield found


def _loop(program: Program, node: Node) -> Reduction | None:
    found = halving(program, node)
    width = None if found is None else _doubled(program, found[1])
    if found is None:
        found = doubling(program, node)
        width = None if found is None else _width(program, found[1])
    if found is None or width is None:
        return None
    steps = _steps(program, statements(found[2]), found[0], width)
    return None if steps is None else Reduction([node], start_of(program, node), *steps, width)


def _unrolled(program: Program, inside: list[Node]) -> Reduction | None:
    distances, found = set(), []
    for statement in inside:
        calls = [each for node in statement.all("call_expression") if (each := shuffle(program, node))]
        steps = _steps(program, [statement], calls[0].distance, str(LANES)) if len(calls) == 1 else None
        if steps is None:
            return None
        distances.add(calls[0].distance)
        found.append(steps)
    if distances != _DISTANCES or len(set(found)) != 1:
        return None
    return Reduction(inside, inside[0].start, *found[0], str(LANES))


def _steps(
    program: Program, inside: list[Node], distance: str, width: str
) -> tuple[str, tuple[tuple[str, Operation], ...]] | None:
    """The direction of shuffles, and for each value what combines it with the one at a distance."""
    others: dict[str, Shuffle] = {}
    directions: set[str] = set()
    found: dict[str, Operation] = {}
    for statement in inside:
        if (declared := declared_shuffle(program, statement, width)) is not None:
            others[declared[0]] = declared[1]
            continue
        assignment = expression(statement)
        if assignment is None or assignment.kind != "assignment_expression":
            return None
        value = program.squeezed(assignment.need("left"))

        def is_partner(node: Node, value: str = value) -> bool:
            other = others.get(program.of(node)) or shuffle(program, node, width)
            if other is None or (other.value, other.distance) != (value, distance):
                return False
            directions.add(other.direction)
            return True

        operation = combination(program, assignment, is_partner)
        if operation is None or value in found:
            return None
        found[value] = operation
    if not found or len(directions) != 1:
        return None
    return directions.pop(), tuple(found.items())


def declared_shuffle(
    program: Program, statement: Node, width: str = str(LANES)
) -> tuple[str, Shuffle] | None:
    """`const float other = shuffle(v, distance);`"""
    declarators = statement.fields("declarator") if statement.kind == "declaration" else []
    value = declarators[0].child("value") if len(declarators) == 1 else None
    found = None if value is None else shuffle(program, value, width)
    return None if found is None else (program.of(declarators[0].need("declarator")), found)


def _doubled(program: Program, start: Node) -> str | None:
    """The width whose half a loop starts at."""
    half = integer(program, start)
    if half is not None:
        return str(2 * half)
    if start.kind != "binary_expression" or start.need("operator").kind not in ("/", ">>"):
        return None
    by = integer(program, start.need("right"))
    is_half = by == (2 if start.need("operator").kind == "/" else 1)
    return _width(program, start.need("left")) if is_half else None


def _width(program: Program, node: Node) -> str | None:
    """A number, or the name of a constant that only an instance of the text has a value of."""
    number = integer(program, node)
    if number is not None or node.kind != "identifier":
        return None if number is None else str(number)
    declared = declaration_of(program, program.of(node), node)
    is_constant = declared is None or {"const", "constexpr"} & set(program.of(declared).split())
    return program.of(node) if is_constant else None
