"""Whether a value matters in the first lane of a simdgroup alone: shuffles down leave a reduction's result there."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from cu2mlx.refine.propose.rewrites.calls import arguments, called_name, calls_of, own_name
from cu2mlx.refine.propose.rewrites.loops import LOOPS
from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.shuffles import LANES
from cu2mlx.refine.propose.rewrites.terms import (
    FLOAT_FUNCTIONS,
    constant_value,
    declarations,
    expression,
    following,
    integer,
    uses,
)
from cu2mlx.transpiler.syntax import Node

_THREADS = frozenset({"thread_position_in_threadgroup.x", "thread_index_in_threadgroup"})
_LANE = "thread_index_in_simdgroup"
_CASTS = frozenset({"float", "half", "int", "uint", "static_cast"})
_OF_ONE_LANE = frozenset({"simd_broadcast", "simd_broadcast_first", "simd_shuffle", "lane_value"})


def is_lane(program: Program, node: Node, *, zero_only: bool = False) -> bool:
    """Whether an expression is the thread's place in its simdgroup; `zero_only`: or is zero in the first lane alone."""
    if node.kind == "parenthesized_expression":
        return is_lane(program, node.named_children[0], zero_only=zero_only)
    text = program.squeezed(node)
    if text == _LANE:
        return True
    if text in _THREADS:
        return zero_only and _rows_are_simdgroups(program)
    if node.kind == "binary_expression" and _rows_are_simdgroups(program):
        left, right = node.need("left"), integer(program, node.need("right"))
        remainder = {"%": LANES, "&": LANES - 1}.get(node.need("operator").kind)
        is_thread = program.squeezed(left) in _THREADS
        return right == remainder and (is_thread or is_lane(program, left))
    if node.kind != "identifier":
        return False
    value = constant_value(program, node)
    return value is not None and is_lane(program, value, zero_only=zero_only)


def _rows_are_simdgroups(program: Program) -> bool:
    """Whether threads that follow each other in x fill whole simdgroups, as far as the launch is known."""
    width = program.block[0] if len(program.block) > 1 else str(LANES)
    return width.isdecimal() and int(width) % LANES == 0


@dataclass(slots=True)
class FirstLane:
    """Follows values through a text. `_known`: those that are being followed, or have been."""

    program: Program
    _known: set[tuple[int, str]] = field(default_factory=set)

    def alone_reads(self, name: str, statement: Node) -> bool:
        """Whether nothing after a statement depends on a variable in another lane than the first."""
        function = statement.above("function_definition")
        if function is None:
            return False
        before = [
            each for each in declarations(self.program, name, function) if each.start <= statement.start
        ]
        if not before:
            return False
        declared = before[-1]
        if (statement.start, name) in self._known:
            return True
        self._known.add((statement.start, name))
        node: Node | None = statement
        while node is not None and node.kind != "function_definition":
            for each in following(node):
                if not all(self._is_harmless(use, each) for use in uses(self.program, name, each)):
                    return False
                if self._is_replaced(name, each):
                    return True
            node = node.parent
            if node is not None and node.start < declared.start:
                return node.kind not in LOOPS  # its block ends, unless that is a loop's head
            if node is not None and node.kind in LOOPS:
                return False  # the loop's beginning comes after its end
        return True

    def _is_harmless(self, use: Node, statement: Node) -> bool:
        """A use in the first lane, or in a value that in turn matters there alone."""
        if self._is_guarded(use):
            return True
        node = use
        while node.start >= statement.start and node.parent is not None:
            node, below = node.parent, node
            if node.kind == "call_expression" and below.field == "arguments":
                name = self.program.of(called_name(node)).removesuffix(">").split("<")[0]
                if name in _OF_ONE_LANE:
                    given = arguments(node)
                    return len(given) == 1 or integer(self.program, given[1]) == 0
                if name not in FLOAT_FUNCTIONS | _CASTS:
                    return False
            if node.kind == "return_statement":
                return self._is_result_harmless(node)
            if node.kind == "assignment_expression":
                return below is use if below.field == "left" else self._is_target_harmless(node)
            if node.kind == "init_declarator":
                return below.field != "declarator" and self._is_target_harmless(node)
        return False

    def _is_guarded(self, use: Node) -> bool:
        """Whether only the first lane comes to a use."""
        branch, below = use.above("if_statement"), use
        while branch is not None:
            while (
                below.parent is not None and below.parent.start >= branch.start and below.parent is not branch
            ):
                below = below.parent
            condition = branch.need("condition").named_children[0]
            if below.field == "consequence" and any(
                self._is_zero_test(each) for each in _conjuncts(condition)
            ):
                return True
            branch = branch.above("if_statement")
        return False

    def _is_zero_test(self, node: Node) -> bool:
        if node.kind == "unary_expression" and node.need("operator").kind == "!":
            return is_lane(self.program, node.need("argument"), zero_only=True)
        if node.kind != "binary_expression" or node.need("operator").kind != "==":
            return False
        sides = [node.need("left"), node.need("right")]
        return any(
            integer(self.program, other) == 0 and is_lane(self.program, each, zero_only=True)
            for each, other in (sides, sides[::-1])
        )

    def _is_target_harmless(self, node: Node) -> bool:
        """Of an assignment or declaration: the variable that is set."""
        target = node.child("left") or node.need("declarator")
        statement = node.above("expression_statement", "declaration")
        if target.kind != "identifier" or statement is None:
            return False
        return self.alone_reads(self.program.of(target), statement)

    def _is_result_harmless(self, statement: Node) -> bool:
        """Of a return statement: what every call of its function makes of the result."""
        function = statement.above("function_definition")
        name = None if function is None else own_name(self.program, function)
        if name is None:
            return False
        calls = calls_of(self.program, name)
        return all(self._is_harmless(call.need("function"), _statement(call)) for call in calls)

    def _is_replaced(self, name: str, statement: Node) -> bool:
        assignment = expression(statement)
        return (
            assignment is not None
            and assignment.kind == "assignment_expression"
            and assignment.need("operator").kind == "="
            and self.program.of(assignment.need("left")) == name
        )


def _conjuncts(condition: Node) -> Iterator[Node]:
    if condition.kind == "parenthesized_expression":
        yield from _conjuncts(condition.named_children[0])
    elif condition.kind == "binary_expression" and condition.need("operator").kind == "&&":
        yield from _conjuncts(condition.need("left"))
        yield from _conjuncts(condition.need("right"))
    else:
        yield condition


def _statement(node: Node) -> Node:
    """The outermost statement below the function around a node: guards count wherever they are."""
    while node.parent is not None and node.parent.kind != "function_definition":
        node = node.parent
    return node
