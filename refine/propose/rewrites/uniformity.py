"""Whether a value is the same in all threads of a group, or of the grid."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from cu2mlx.refine.propose.rewrites.calls import called, called_name, definitions
from cu2mlx.refine.propose.rewrites.loops import LOOPS
from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.terms import assigned, declaration_of, expression, is_threadgroup
from cu2mlx.transpiler.syntax import Node

_OF_A_THREAD = re.compile(r"thread_|simdgroup_index|quadgroup_index")
_OF_SOME_THREADS = re.compile(r"simd_|quad_|cu::(?!min|max|log|exp|fm)")

_DECIDE = frozenset({"condition", "initializer", "update"})
_SCAN = re.compile(r"shuffle_up|lane_up|shfl_up|prefix")


@dataclass(slots=True)
class Uniformity:
    """`of_grid`: the threads of all groups are asked for. What a function with a barrier that is no scan makes of the
    values of all threads is taken for the same in all of them."""

    program: Program
    of_grid: bool
    _pending: set[tuple[str, int]] = field(default_factory=set)

    def holds(self, node: Node, but: frozenset[str] = frozenset()) -> bool:
        """For an expression or a statement, some names left aside."""
        if node.kind == "call_expression":
            function = node.need("function")
            if not self.of_grid and self._is_reduction(node):
                return True
            if _OF_SOME_THREADS.match(called(self.program, node)):
                return False
            inside = [node.need("arguments"), *function.all("field_expression")]
            return all(self.holds(each, but) for each in inside)
        if node.kind == "identifier":
            return self.program.of(node) in but or self._name(node)
        return all(self.holds(each, but) for each in node.named_children)

    def reach(self, node: Node) -> bool:
        """Whether all threads come to a statement, equally often."""
        function = node.above("function_definition")
        jumps = (
            []
            if function is None
            else function.all("return_statement", "break_statement", "continue_statement")
        )
        places = [node, *(each for each in jumps if each.start < node.start)]
        return all(self.holds(each) for place in places for each in _conditions(place))

    def _is_reduction(self, call: Node) -> bool:
        """Whether a function of the text meets the others at a barrier, and is no scan."""
        bodies = definitions(self.program, self.program.of(called_name(call)))
        inner = [inside for body in bodies for inside in body.all("call_expression")]
        bodies += [
            each
            for inside in inner
            for each in definitions(self.program, self.program.of(called_name(inside)))
        ]
        texts = [self.program.of(each) for each in bodies]
        return any("threadgroup_barrier" in each for each in texts) and not any(map(_SCAN.search, texts))

    def holds_for_pointer(self, name: str, place: Node) -> bool:
        """Whether a pointer, whatever happens to its elements, is the same where it is used."""
        declared = declaration_of(self.program, name, place)
        if declared is None:
            return True
        function = place.above("function_definition")
        changes = [] if function is None else function.all("assignment_expression", "update_expression")
        if any(self.program.of(each.child("left") or each.need("argument")) == name for each in changes):
            return False
        return all(self.holds(each) for each in _values(self.program, name, declared)[0])

    def _name(self, use: Node) -> bool:
        name = self.program.of(use)
        if _OF_A_THREAD.match(name) or (self.of_grid and name == "threadgroup_position_in_grid"):
            return False
        if declaration_of(self.program, name, use) is None:
            return True  # a buffer, a size or a constant
        if use.parent is not None and is_threadgroup(self.program, use.parent):
            return not self.of_grid
        if (name, use.start) in self._pending:
            return True
        self._pending.add((name, use.start))
        return self._is_set_alike(name, use)

    def _is_set_alike(self, name: str, use: Node) -> bool:
        """Whether what sets a variable before a use is the same in all threads."""
        node: Node | None = use
        while node is not None and node.kind != "function_definition":
            if node.kind in LOOPS and name in assigned(self.program, node):
                return self._is_counter(name, node)
            for statement in _before(node):
                if name not in assigned(self.program, statement):
                    continue
                values, is_final = _values(self.program, name, statement)
                if not all(self.holds(each, frozenset({name})) for each in values):
                    return False
                if is_final:
                    return True
            node = node.parent
        return False

    def _is_counter(self, name: str, loop: Node) -> bool:
        """Whether a loop's head alone changes a variable of its own, in the same way in all threads."""
        head = loop.child("initializer")
        is_own = head is not None and head.kind == "declaration" and name in assigned(self.program, head)
        if not is_own or name in assigned(self.program, loop.need("body")):
            return False
        return all(
            self.holds(each, frozenset({name})) for each in loop.named_children if each.field in _DECIDE
        )


def _conditions(node: Node) -> Iterator[Node]:
    """What decides whether, and how often, a statement runs."""
    while node.parent is not None and node.parent.kind != "function_definition":
        node, below = node.parent, node
        if node.kind in (*LOOPS, "if_statement", "switch_statement"):
            yield from (each for each in node.named_children if each is not below and each.field in _DECIDE)


def _before(node: Node) -> Iterator[Node]:
    """The statements before one in its block, the last first."""
    parent = node.parent
    if parent is not None and parent.kind == "compound_statement":
        yield from (each for each in reversed(parent.named_children) if each.end <= node.start)


def _values(program: Program, name: str, statement: Node) -> tuple[list[Node], bool]:
    """What a statement that changes a variable takes it from, and whether nothing earlier matters then."""
    assignment = expression(statement)
    if assignment is not None and assignment.kind == "assignment_expression":
        is_whole = assignment.need("operator").kind == "=" and program.of(assignment.need("left")) == name
        return [assignment.need("right")], is_whole
    if statement.kind != "declaration":
        return [statement], False
    for each in statement.fields("declarator"):
        if each.kind == "init_declarator" and name in {
            program.of(part) for part in each.need("declarator").all("identifier")
        }:
            return [each.need("value")], True
    return [], True
