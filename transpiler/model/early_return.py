"""Threads that leave a kernel before a barrier that others wait at: CUDA counts them as arrived, Metal does not.

They stay instead, behind a flag: what follows is done by the active threads alone, barriers by all.
"""

from collections.abc import Collection
from dataclasses import dataclass, field

from cu2mlx.transpiler.model.declarations import Variable
from cu2mlx.transpiler.model.expressions import called_name
from cu2mlx.transpiler.model.instances import Instance
from cu2mlx.transpiler.model.uniform import is_uniform
from cu2mlx.transpiler.syntax import Node

FLAG = "cu_active"
_BARRIER = "__syncthreads"
_GUARDED = frozenset({"expression_statement", "for_statement", "while_statement", "do_statement", "if_statement",
                      "switch_statement", "compound_statement"})  # fmt: skip
_TOUCHING = frozenset({"subscript_expression", "pointer_expression", "call_expression"})
_BRANCHES = ("consequence", "alternative", "body")


@dataclass(slots=True)
class EarlyReturns:
    """`leaving`: guard → (its flag, the one before). `guarded`, `conditions`, `values`: statements, conditions of loops
    and initial values → their flag. `left`: a return that stays one, so that a barrier misses its threads."""

    leaving: dict[Node, tuple[str, str | None]] = field(default_factory=dict)
    guarded: dict[Node, str] = field(default_factory=dict)
    conditions: dict[Node, str] = field(default_factory=dict)
    values: dict[Node, str] = field(default_factory=dict)
    left: Node | None = None


def early_returns(instance: Instance) -> EarlyReturns:
    """How a kernel's threads can stay until its last barrier; empty where all of a block leave together."""
    body = instance.function.body
    barriers = (
        [n.start for n in body.all("call_expression") if _is_barrier(n, instance)] if body is not None else []
    )
    if body is None or not barriers:
        return EarlyReturns()
    returns = [
        r
        for r in body.all("return_statement")
        if r.start < max(barriers) and not _together(r, body, instance)
    ]
    if not returns:
        return EarlyReturns()
    found = EarlyReturns()
    try:
        _Follower(instance, found, {_guard(each, body) for each in returns}, max(barriers)).block(body)
    except _Unclear:
        return EarlyReturns(left=returns[0])
    return found


def leaving_helpers(kernel: Instance) -> list[tuple[Instance, Node]]:
    """Helpers with a return that not all threads of a block take, before a barrier in them, with that return."""
    found: list[tuple[Instance, Node]] = []
    helpers = [each for each in kernel.reached() if each is not kernel and _may_leave(each)]
    alike = _given_alike(kernel) if helpers else {}
    for instance in helpers:
        body = instance.function.body
        assert body is not None
        last = max((n.start for n in body.all("call_expression") if _waits(n, instance)), default=0)
        returns = [r for r in body.all("return_statement") if r.start < last]
        found += [(instance, r) for r in returns if not _together(r, body, instance, alike[instance])][:1]
    return found


def _may_leave(instance: Instance) -> bool:
    texts = [each.typing.spelling(each.function.node) for each in instance.reached()]
    return instance.function.body is not None and "return" in texts[-1] and any(_BARRIER in t for t in texts)


def _given_alike(kernel: Instance) -> dict[Instance, set[Variable]]:
    """The parameters of each helper that all threads of a block give the same value, in every call."""
    alike: dict[Instance, set[Variable]] = {}
    for caller in reversed(kernel.reached()):
        known = alike.get(caller, set())
        for node, called in caller.calls.items():
            arguments = node.child("arguments") if node.kind == "call_expression" else None
            given = arguments.named_children if arguments is not None else []
            pairs = zip(called.function.parameters, given, strict=False)
            same = {p for p, argument in pairs if is_uniform(argument, caller.typing, known)}
            alike[called] = alike[called] & same if called in alike else same
    return alike


class _Unclear(Exception):
    """What this cannot follow."""


@dataclass(slots=True)
class _Follower:
    """Follows the statements that all threads of a block go through together."""

    instance: Instance
    found: EarlyReturns
    guards: set[Node]
    last: int  # where the last barrier stands
    flag: str | None = None

    def block(self, block: Node) -> None:
        for statement in block.named_children:
            if statement in self.guards:
                before, number = self.flag, len(self.found.leaving)
                self.flag = FLAG if not number else f"{FLAG}_{number + 1}"
                self.found.leaving[statement] = (self.flag, before)
            elif self.flag is not None:
                self._statement(statement, self.flag)

    def _statement(self, node: Node, flag: str) -> None:
        waits = any(_waits(each, self.instance) for each in node.all("call_expression"))
        if node.kind == "declaration" and not waits:
            self._declaration(node, flag)
        elif not waits:
            if any(each.start < self.last for each in node.all("return_statement")):
                _guard_form(node)  # by all threads or none
            elif node.kind in _GUARDED:
                self._guard(node, flag)
            elif node.kind.startswith("preproc"):
                self.block(node)
        elif node.kind == "compound_statement":
            self.block(node)
        elif node.kind in ("for_statement", "if_statement"):
            self._together(node, flag)
        elif node.kind != "expression_statement" or not _is_barrier(node.named_children[0], self.instance):
            raise _Unclear(node.kind)

    def _guard(self, node: Node, flag: str) -> None:
        """A condition in front; in the loop's own where a pragma wants to stand right before it."""
        siblings = node.parent.children if node.parent is not None else []
        before = siblings[siblings.index(node) - 1].end if node in siblings[1:] else node.start
        condition, start = node.child("condition"), node.child("initializer")
        if "#pragma" not in self.instance.typing.text[before : node.start].replace("# ", "#"):
            self.found.guarded[node] = flag
        elif condition is None or (
            start is not None and any(part.kind in _TOUCHING for part in start.walk())
        ):
            raise _Unclear(node.kind)
        else:
            self.found.conditions[condition] = flag

    def _together(self, node: Node, flag: str) -> None:
        """A loop or a choice that all threads make alike, with a barrier inside."""
        condition = node.child("condition")
        jumps = any(True for _ in node.all("break_statement", "continue_statement"))
        if condition is None or jumps or not is_uniform(condition, self.instance.typing):
            raise _Unclear(node.kind)
        for part in (node.child(name) for name in _BRANCHES):
            for inner in part.named_children if part is not None and part.kind == "else_clause" else [part]:
                if inner is not None:
                    self._statement(inner, flag)

    def _declaration(self, node: Node, flag: str) -> None:
        for declarator in node.fields("declarator"):
            value = declarator.child("value")
            if value is None or not any(part.kind in _TOUCHING for part in value.walk()):
                continue
            named = declarator.need("declarator")
            if named.kind != "identifier" or value.kind in ("initializer_list", "argument_list"):
                raise _Unclear(node.kind)
            self.found.values[value] = flag


def _is_barrier(node: Node, instance: Instance) -> bool:
    return (
        node.kind == "call_expression"
        and called_name(instance.typing.text, node.need("function")) == _BARRIER
    )


def _waits(call: Node, instance: Instance) -> bool:
    """Whether a call is a barrier, or reaches one."""
    called = instance.calls.get(call)
    inside = called is not None and any(
        _BARRIER in each.typing.spelling(each.function.node) for each in called.reached()
    )
    return inside or called_name(instance.typing.text, call.need("function")).startswith(_BARRIER)


def _together(leaving: Node, body: Node, instance: Instance, alike: Collection[Variable] = ()) -> bool:
    """Whether all threads of a block return here, or none."""
    node = leaving.parent
    while node is not None and node is not body:
        condition = node.child("condition")
        if condition is not None and not is_uniform(condition, instance.typing, alike):
            return False
        node = node.parent
    return True


def _guard(leaving: Node, body: Node) -> Node:
    """The guard in the kernel's outermost block that a return belongs to."""
    guard = leaving.above("if_statement")
    if guard is None or guard.parent is not body:
        raise _Unclear(leaving.kind)
    _guard_form(guard)
    return guard


def _guard_form(node: Node) -> None:
    """`if (…) return;` or `if (…) { … return; }`."""
    inside = node.child("consequence")
    if node.kind != "if_statement" or inside is None or node.child("alternative") is not None:
        raise _Unclear(node.kind)
    last = inside.named_children[-1] if inside.kind == "compound_statement" else inside
    if last.kind != "return_statement" or sum(1 for _ in inside.all("return_statement")) != 1:
        raise _Unclear(node.kind)
