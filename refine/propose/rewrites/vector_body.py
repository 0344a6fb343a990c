"""What a loop's body has to be for each thread to take several elements in turn instead of one in many."""

from dataclasses import dataclass, field

from cu2mlx.refine.propose.rewrites.calls import called, changed_by_calls
from cu2mlx.refine.propose.rewrites.effects import Buffers, buffers_of
from cu2mlx.refine.propose.rewrites.loops import LOOPS, Loop
from cu2mlx.refine.propose.rewrites.operations import combination
from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.terms import (
    assigned,
    declaration_of,
    declared_names,
    expression,
    is_device_pointer,
    is_threadgroup,
    names,
    statements,
    uses,
)
from cu2mlx.transpiler.syntax import Node

_OF_MANY_THREADS = ("atomic", "cu::atomic", "simd_", "quad_", "cu::shfl", "cu::lane", "cu::simd")


@dataclass(frozen=True, slots=True)
class Element:
    """`pointer[base + i]` at a loop's variable i; `base` is empty where the index is i alone."""

    node: Node
    pointer: str
    base: str

    @property
    def is_read(self) -> bool:
        parent = self.node.parent
        is_target = (
            parent is not None and parent.kind == "assignment_expression" and self.node.field == "left"
        )
        return not is_target or parent is None or parent.need("operator").kind != "="


@dataclass(slots=True)
class Body:
    """`own`: variables of an iteration; `stored`: pointers that are written; `gathered`: variables that are
    accumulated over the loop."""

    own: set[str]
    elements: list[Element] = field(default_factory=list)
    stored: set[str] = field(default_factory=set)
    gathered: set[str] = field(default_factory=set)


def elementwise(program: Program, loop: Loop) -> Body | None:
    """Of a loop whose iterations may be done in any order by any thread, but for what is gathered."""
    inside = statements(loop.body)
    body = Body(
        own={name for each in inside if each.kind == "declaration" for name in assigned(program, each)}
    )
    if any(True for _ in loop.body.all(*LOOPS, "update_expression", "lambda_expression")):
        return None
    if any(True for _ in changed_by_calls(program, loop.body)) or _is_of_many_threads(program, loop.body):
        return None
    if not names(program, loop.limit).isdisjoint(assigned(program, loop.body)):
        return None
    for statement in inside:
        if statement.kind == "declaration":
            continue
        assignment = expression(statement)
        if assignment is None or assignment.kind != "assignment_expression":
            return None
        if not _takes_in(program, loop, assignment, body):
            return None
    for subscript in loop.body.all("subscript_expression"):
        element = element_of(program, loop, subscript)
        if element is not None:
            body.elements.append(element)
    is_alone = _are_apart(program, loop, body) and _is_alone(program, loop, body)
    return body if is_alone else None


def _is_of_many_threads(program: Program, node: Node) -> bool:
    return any(called(program, each).startswith(_OF_MANY_THREADS) for each in node.all("call_expression"))


def _takes_in(program: Program, loop: Loop, assignment: Node, body: Body) -> bool:
    """Whether an assignment is to an element, to a variable of the iteration, or adds to what is gathered."""
    left = assignment.need("left")
    element = element_of(program, loop, left)
    if element is not None:
        body.stored.add(element.pointer)
        return True
    name = program.of(left)
    if left.kind != "identifier" or name in body.own:
        return left.kind == "identifier"
    is_combined = combination(program, assignment, lambda other: not uses(program, name, other))
    body.gathered.add(name)
    return (
        is_combined is not None
        and not is_combined.functor
        and declaration_of(program, name, assignment) is not None
        and len(uses(program, name, loop.body)) == len(uses(program, name, assignment))
    )


def element_of(program: Program, loop: Loop, node: Node) -> Element | None:
    if node.kind != "subscript_expression" or node.need("argument").kind != "identifier":
        return None
    pointer, index = program.of(node.need("argument")), node.need("indices").named_children
    declared = declaration_of(program, pointer, node)
    if declared is not None and not is_device_pointer(program, declared, pointer):
        return None
    found = _base(program, loop, index[0]) if len(index) == 1 else None
    return None if found is None else Element(node, pointer, found)


def _base(program: Program, loop: Loop, index: Node) -> str | None:
    """What is added to the loop's variable, the same in every iteration; None for another kind of index."""
    if program.of(index) == loop.variable:
        return ""
    if index.kind != "binary_expression" or index.need("operator").kind != "+":
        return None
    for own, other in (("left", "right"), ("right", "left")):
        rest, base = _base(program, loop, index.need(own)), index.need(other)
        is_fixed = names(program, base).isdisjoint(assigned(program, loop.node)) and not _has_call(base)
        if rest is not None and is_fixed and base.kind != "number_literal":  # x[i + 1] is nowhere aligned
            text = program.of(base)
            return text if not rest else f"{rest} + {text}"
    return None


def _has_call(node: Node) -> bool:
    return any(True for _ in node.all("call_expression"))


def _are_apart(program: Program, loop: Loop, body: Body) -> bool:
    """Whether what is stored is read at the same place or not at all."""
    places = {(each.pointer, each.base) for each in body.elements}
    for pointer in body.stored:
        in_elements = [each for each in body.elements if each.pointer == pointer]
        if len({base for name, base in places if name == pointer}) != 1:
            return False
        if len(in_elements) != len(uses(program, pointer, loop.body)):
            return False
        own = buffers_of(program, pointer, loop.node)
        others = {program.of(each) for each in loop.body.all("identifier")} - {pointer}
        theirs = [buffers_of(program, each, loop.node) for each in others]
        if own is None or any(each is None or each & own for each in theirs):
            return False
    return bool(body.elements)


def _is_alone(program: Program, loop: Loop, body: Body) -> bool:
    """Whether no thread counts on having been at a place of memory itself, in another statement: what is stored is used
    nowhere else, what is read is written nowhere else, and elements of threadgroup memory are not the loop's."""
    used, written = _buffers_elsewhere(program, loop)
    read = [
        buffers_of(program, program.of(each), each)
        for each in loop.body.all("identifier")
        if _is_device(program, program.of(each), each)
    ]
    stored = [buffers_of(program, each, loop.node) for each in body.stored]
    shared = [each for each in loop.body.all("subscript_expression") if is_threadgroup(program, each)]
    return (
        None not in (*used, *written, *read, *stored)
        and _united(used).isdisjoint(_united(stored))
        and _united(written).isdisjoint(_united(read))
        and not any(uses(program, loop.variable, each) for each in shared)
    )


def _buffers_elsewhere(program: Program, loop: Loop) -> tuple[list[Buffers], list[Buffers]]:
    """Those that the kernel's other statements use, and those that they may write to."""
    used, written = [], []
    for each in program.body.all("identifier"):
        name, statement = program.of(each), each.above("declaration", "expression_statement", *LOOPS)
        is_inside = loop.node.start <= each.start < loop.node.end
        if is_inside or statement is None or not _is_device(program, name, each):
            continue
        if statement.kind == "declaration" and _declares_pointer(program, statement):
            continue  # no access yet
        buffers = buffers_of(program, name, each)
        used.append(buffers)
        if name in assigned(program, statement):
            written.append(buffers)
    return used, written


def _united(buffers: list[Buffers]) -> set[str]:
    return set().union(*(each for each in buffers if each is not None))


def _is_device(program: Program, name: str, place: Node) -> bool:
    """Whether a name may be a buffer, or a pointer into one."""
    declared = declaration_of(program, name, place)
    return declared is None or is_device_pointer(program, declared, name)


def _declares_pointer(program: Program, declaration: Node) -> bool:
    return any(is_device_pointer(program, declaration, each) for each in declared_names(program, declaration))
