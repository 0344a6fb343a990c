"""Loops whose iterations the threads of a group, or of the grid, deal out among themselves, one to each in turn."""

import re

from cu2mlx.refine.propose.rewrites.calls import arguments, called_name, definitions
from cu2mlx.refine.propose.rewrites.loops import Loop
from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.terms import (
    constant_value,
    expression,
    following,
    integer,
    is_barrier,
    is_threadgroup,
    uses,
)
from cu2mlx.transpiler.syntax import Node

_THREAD, _THREADS = "thread_position_in_threadgroup.x", "threads_per_threadgroup.x"
_GROUP, _GROUPS = "threadgroup_position_in_grid.x", "threadgroups_per_grid.x"
_OF_A_GROUP = {_THREAD: {_THREADS}}
_OF_THE_GRID = {
    f"{_GROUP}*{_THREADS}+{_THREAD}": {
        f"{_THREADS}*{_GROUPS}",
        f"{_GROUPS}*{_THREADS}",
        "threads_per_grid.x",
    },
    "thread_position_in_grid.x": {"threads_per_grid.x"},
}
_EXCHANGES = re.compile(r"\b(?:simd_|quad_|cu::shfl|cu::lane_|cu::simd|threadgroup_barrier)")


def is_of_group(program: Program, loop: Loop) -> bool:
    """Whether the threads of a group take every element from 0 on together."""
    return _step(program, loop) in _OF_A_GROUP.get(_normal(program, loop.start), set())


def is_of_grid(program: Program, loop: Loop) -> bool:
    return _step(program, loop) in _OF_THE_GRID.get(_normal(program, loop.start), set())


def _step(program: Program, loop: Loop) -> str:
    if loop.step is None:
        return "1"
    is_block = program.block == (str(integer(program, loop.step)),)
    return _THREADS if is_block else _normal(program, loop.step)


def _normal(program: Program, node: Node, depth: int = 2) -> str:
    """The text of an expression without spaces, constants in place of their names, and the block's extent called as
    Metal calls it."""
    text = program.of(node)  # names are replaced by what they stand for, in parentheses where that is no atom
    for name in node.all("identifier"):
        value = constant_value(program, name) if depth else None
        if value is not None:
            inner = _normal(program, value, depth - 1)
            text = re.sub(
                rf"\b{program.of(name)}\b", inner if value.kind != "binary_expression" else f"({inner})", text
            )
    if len(program.block) == 1 and program.block[0].isidentifier():
        text = re.sub(rf"\b{program.block[0]}\b", _THREADS, text)
    text = "".join(text.split())
    return text[1:-1] if node.kind == "identifier" and text.startswith("(") else text


def goes_to_all(program: Program, name: str, loop: Node) -> bool:
    """Whether what a thread has gathered in a loop goes into nothing but what the group makes of all threads' parts:
    a function that exchanges values and waits, or threadgroup memory that is read after a barrier."""
    is_given_away, is_of_simdgroup = False, False
    for statement in following(loop):
        if not uses(program, name, statement):
            continue
        if is_given_away:
            return _is_set_anew(program, name, statement)
        if _waits(program, name, statement):
            if _is_set_anew(program, name, statement, itself=True):
                return True
            is_given_away = True
        elif _is_stored(program, name, statement):
            if statement.kind == "if_statement" and not is_of_simdgroup:
                return False  # not by every thread
            is_given_away = True
        elif _exchanges(program, name, statement):
            is_of_simdgroup = True
        else:
            return False
    return is_given_away


def _waits(program: Program, name: str, statement: Node) -> bool:
    """Whether a variable is an argument of a function of the text with a barrier in it."""
    return any(
        "threadgroup_barrier" in program.of(body) for body in _bodies_that_get(program, name, statement)
    )


def _exchanges(program: Program, name: str, statement: Node) -> bool:
    """Whether a variable is replaced by what a simdgroup makes of it."""
    texts = [program.of(statement), *map(program.of, _bodies_that_get(program, name, statement))]
    is_alone = all(
        program.squeezed(each.need("left")) == name for each in statement.all("assignment_expression")
    )
    return is_alone and any(_EXCHANGES.search(text) for text in texts)


def _bodies_that_get(program: Program, name: str, statement: Node) -> list[Node]:
    calls = [
        call
        for call in statement.all("call_expression")
        if any(program.of(each) == name for each in arguments(call))
    ]
    return [each for call in calls for each in definitions(program, program.of(called_name(call)))]


def _is_stored(program: Program, name: str, statement: Node) -> bool:
    """`partial[thread] = v;`, under a condition or not, and a barrier later."""
    stores = [each for each in statement.all("assignment_expression") if uses(program, name, each)]
    waits = any(is_barrier(program, each) for each in following(statement))
    return (
        waits
        and len(uses(program, name, statement)) == len(stores) == 1
        and all(
            program.of(each.need("right")) == name and is_threadgroup(program, each.need("left"))
            for each in stores
        )
    )


def _is_set_anew(program: Program, name: str, statement: Node, *, itself: bool = False) -> bool:
    """`v = …;`, from itself or not."""
    assignment = expression(statement)
    if assignment is None or assignment.kind != "assignment_expression":
        return False
    is_read = bool(uses(program, name, assignment.need("right")))
    return (
        assignment.need("operator").kind == "="
        and program.of(assignment.need("left")) == name
        and is_read == itself
    )
