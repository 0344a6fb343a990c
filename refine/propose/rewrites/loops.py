"""Loops that count: `for (int i = START; i < LIMIT; i += STEP)` and those that halve."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.terms import assigned, fresh, integer
from cu2mlx.runtime.msl.tokens import Edit
from cu2mlx.transpiler.syntax import Node

LOOPS = ("for_statement", "while_statement", "do_statement")
_PRAGMA = re.compile(r"#pragma unroll\b[^\n]*\n[ \t]*$")


@dataclass(frozen=True, slots=True)
class Loop:
    """`step`: the node that is added each time, None for 1."""

    node: Node
    type: str
    variable: str
    start: Node
    limit: Node
    step: Node | None
    body: Node


@dataclass(frozen=True, slots=True)
class Head:
    """A loop that declares one variable, with all its parts. `start`: the variable's first value."""

    node: Node
    type: str
    variable: str
    start: Node
    condition: Node
    update: Node
    body: Node


def head_of(program: Program, node: Node) -> Head | None:
    found = _complete(program, node)
    if found is None:
        return None
    (type_text, variable, start), condition, update, body = found
    return Head(node, type_text, variable, start, condition, update, body)


def counting(program: Program, node: Node) -> Loop | None:
    """A loop that goes up from START while its variable is below LIMIT."""
    found = _complete(program, node)
    if found is None:
        return None
    (type_text, variable, start), condition, update, body = found
    if not _is_below(program, condition, variable):
        return None
    limit = condition.need("right")
    if program.squeezed(update) in (f"++{variable}", f"{variable}++"):
        return Loop(node, type_text, variable, start, limit, None, body)
    if update.kind == "assignment_expression" and _operator(update) == "+=":
        if program.of(update.need("left")) != variable:
            return None
        return Loop(node, type_text, variable, start, limit, update.need("right"), body)
    return None


def halving(program: Program, node: Node) -> tuple[str, Node, Node] | None:
    """A loop that halves its variable down to 1: the variable, where it starts, the body."""
    found = _complete(program, node)
    if found is None:
        return None
    (_, variable, start), condition, update, body = found
    tests = {f"{variable}>0", f"{variable}>=1", f"{variable}!=0", f"{variable}"}
    steps = {f"{variable}>>=1", f"{variable}/=2", f"{variable}={variable}/2", f"{variable}={variable}>>1"}
    if program.squeezed(condition) not in tests or program.squeezed(update) not in steps:
        return None
    return variable, start, body


def doubling(program: Program, node: Node) -> tuple[str, Node, Node] | None:
    """A loop that doubles its variable from 1 while it is below a limit: the variable, the limit, the body."""
    found = _complete(program, node)
    if found is None:
        return None
    (_, variable, start), condition, update, body = found
    steps = {
        f"{variable}<<=1",
        f"{variable}*=2",
        f"{variable}={variable}*2",
        f"{variable}={variable}<<1",
        f"{variable}+={variable}",
    }
    is_from_one = integer(program, start) == 1 and program.squeezed(update) in steps
    if not is_from_one or not _is_below(program, condition, variable):
        return None
    return variable, condition.need("right"), body


def _complete(program: Program, node: Node) -> tuple[tuple[str, str, Node], Node, Node, Node] | None:
    """The head (`_head`), condition, update and body of a loop that has them all."""
    head = _head(program, node)
    condition, update, body = node.child("condition"), node.child("update"), node.child("body")
    if head is None or condition is None or update is None or body is None:
        return None
    return head, condition, update, body


def _head(program: Program, node: Node) -> tuple[str, str, Node] | None:
    """Type, name and first value of the one variable that a loop declares."""
    declaration = node.child("initializer")
    if node.kind != "for_statement" or declaration is None or declaration.kind != "declaration":
        return None
    declarators = declaration.fields("declarator")
    if len(declarators) != 1 or declarators[0].kind != "init_declarator":
        return None
    name, value = declarators[0].need("declarator"), declarators[0].child("value")
    if name.kind != "identifier" or value is None:
        return None
    return program.of(declaration.need("type")), program.of(name), value


def _is_below(program: Program, condition: Node, variable: str) -> bool:
    return (
        condition.kind == "binary_expression"
        and _operator(condition) == "<"
        and program.of(condition.need("left")) == variable
    )


def _operator(node: Node) -> str:
    return node.need("operator").kind


def start_of(program: Program, loop: Node) -> int:
    """Where a loop starts, or the pragma that unrolls it."""
    pragma = _PRAGMA.search(program.text, 0, loop.start)
    return loop.start if pragma is None else pragma.start()


def indentation(program: Program, loop: Node) -> tuple[str, str]:
    """What goes before a line that is put where a loop starts (`start_of`), and before those that follow it."""
    line = program.text.rfind("\n", 0, loop.start) + 1
    before = program.text[line : loop.start]
    indent = before if before.isspace() else ""
    return (indent if start_of(program, loop) < loop.start else "", indent)


def outermost_without_change(program: Program, name: Node) -> Node | None:
    """The outermost loop around a name that does not change it, if a declaration may stand before that."""
    found, loop = None, name.above(*LOOPS)
    while loop is not None and program.of(name) not in assigned(program, loop):
        found, loop = loop, loop.above(*LOOPS)
    is_in_block = found is not None and found.parent is not None and found.parent.kind == "compound_statement"
    return found if is_in_block else None


@dataclass(slots=True)
class Hoisted:
    """Values that are computed once before loops, under new names."""

    program: Program
    _loops: dict[int, Node] = field(default_factory=dict)
    _names: dict[tuple[int, str], str] = field(default_factory=dict)

    def named(self, loop: Node, value: str, name: str) -> str:
        """What a float value is called that is to be computed before a loop."""
        self._loops[loop.start] = loop
        if (loop.start, value) not in self._names:
            name = fresh(self.program, name)
            while name in self._names.values():
                name += "_"
            self._names[loop.start, value] = name
        return self._names[loop.start, value]

    def edits(self) -> Iterator[Edit]:
        for (start, value), name in self._names.items():
            at = start_of(self.program, self._loops[start])
            first, rest = indentation(self.program, self._loops[start])
            yield Edit(at, at, f"{first}const float {name} = {value};\n{'' if first else rest}")
