"""Outputs that a kernel leaves alone where its data say so. CUDA's caller sees there what was in the array before;
an array that MLX makes may hold anything.

Conditions on indices and sizes are no news, since almost every kernel has one: only conditions on what was read, and
places that were.
"""

from collections.abc import Iterator, Mapping

from cu2mlx.transpiler.binding.interface import Role
from cu2mlx.transpiler.binding.signature import ZEROED_ROLES
from cu2mlx.transpiler.model.accesses import Accesses, Site
from cu2mlx.transpiler.model.declarations import Variable
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.syntax import Node

_LEAVES = frozenset({"return_statement", "continue_statement"})


def report_partly_written(roles: Mapping[Variable, Role], accesses: Accesses, context: Context) -> None:
    """Note each output all of whose writes depend on data; none where MLX zeroes the kernel's outputs anyway."""
    if ZEROED_ROLES & set(roles.values()):
        return
    touched = accesses.sites(context.instance)
    reads = {site.node for v, each in touched.items() if v.is_parameter for site in each if site.read}
    data = _Data(reads, context)
    found: dict[Node, list[str]] = {}
    for variable, role in roles.items():
        written = [site for site in touched.get(variable, ()) if site.written]
        conditions = [data.condition_of(site, written) for site in written] if role is Role.OUT else []
        first = conditions[0] if conditions else None
        if first is not None and None not in conditions:
            found.setdefault(first, []).append(variable.name)
    for condition, names in found.items():
        text = " ".join(context.source(condition).split()).removeprefix("(").removesuffix(")")
        context.report("CU4205", condition, name=", ".join(names), condition=text)


class _Data:
    """What of a function's expressions comes from memory: `reads`, and variables that are given any of it."""

    def __init__(self, reads: set[Node], context: Context) -> None:
        self.reads = reads
        self.meaning = context.instance.typing.names.meaning
        self.given: dict[Variable, list[Node]] = {}
        body = context.instance.function.body
        for variable in context.instance.typing.names.variables:
            if variable.initialiser is not None:
                self.given.setdefault(variable, []).append(variable.initialiser)
        for node in body.all("assignment_expression") if body is not None else ():
            assigned = self.meaning.get(node.need("left"))
            if assigned is not None:
                self.given.setdefault(assigned, []).append(node.need("right"))

    def depends(self, expression: Node) -> bool:
        seen: set[Variable] = set()
        pending = [expression]
        while pending:
            for node in pending.pop().walk():
                if node in self.reads:
                    return True
                variable = self.meaning.get(node)
                if variable is not None and variable not in seen:
                    seen.add(variable)
                    pending += self.given.get(variable, ())
        return False

    def condition_of(self, site: Site, written: list[Site]) -> Node | None:
        """The condition on data that has to hold for a write; None where there is none."""
        place = _place(site.node)
        if place is not None and self.depends(place):
            return place
        child = site.node
        while child.parent is not None:
            parent = child.parent
            if parent.kind == "if_statement" and child.field in ("consequence", "alternative"):
                other = parent.child("alternative" if child.field == "consequence" else "consequence")
                is_written = other is not None and any(_is_inside(each.node, other) for each in written)
                if not is_written and self.depends(parent.need("condition")):
                    return parent.need("condition")
            for earlier in _leaving(parent, child):
                if self.depends(earlier.need("condition")):
                    return earlier.need("condition")
            child = parent
        return None


def _place(node: Node) -> Node | None:
    """What says where a write goes: an index, or a pointer that is followed."""
    if node.kind == "subscript_expression":
        return node.need("indices").named_children[-1]
    return node.need("argument") if node.kind == "pointer_expression" else None


def _leaving(block: Node, before: Node) -> Iterator[Node]:
    """`if (…) return;` and `if (…) continue;` that stand in a block before one of its statements."""
    if block.kind == "compound_statement":
        for node in block.named_children:
            if node.start >= before.start:
                return
            if node.kind == "if_statement" and node.child("alternative") is None:
                last = node.need("consequence")
                while last.kind == "compound_statement" and last.named_children:
                    last = last.named_children[-1]
                if last.kind in _LEAVES:
                    yield node


def _is_inside(node: Node, outer: Node) -> bool:
    return outer.start <= node.start and node.end <= outer.end
