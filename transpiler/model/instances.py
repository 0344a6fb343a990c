"""A function as called with one combination of address spaces."""

from dataclasses import dataclass, field

from cu2mlx.transpiler.model.declarations import Function, Space, Variable
from cu2mlx.transpiler.model.expressions import Typing
from cu2mlx.transpiler.syntax import Node

Spaces = tuple[Space | None, ...]


@dataclass(eq=False, slots=True)
class Conflict:
    """One pointer that would have to point into two address spaces."""

    node: Node
    name: str
    first: Space
    second: Space


@dataclass(eq=False, slots=True)
class Instance:
    """A function as called with one combination of address spaces."""

    function: Function
    spaces: Spaces
    typing: Typing
    space_of: dict[Variable, Space] = field(default_factory=dict)
    result: Space | None = None
    calls: dict[Node, "Instance"] = field(default_factory=dict)
    others: dict[Node, list["Instance"]] = field(default_factory=dict)  # overloads a template type may select
    conflicts: list[Conflict] = field(default_factory=list)
    first_reads: set[Node] = field(default_factory=set)  # of buffers that the kernel changes: they see the input

    @property
    def visible_spaces(self) -> Spaces:
        """The spaces its printed signature shows: two instances that agree here print the same text."""
        shown = zip(self.function.parameters, self.spaces, strict=True)
        return tuple(s if p.type.has_pointer or p.type.is_reference else None for p, s in shown)

    def called(self) -> "list[Instance]":
        """Everything it calls directly."""
        return [*self.calls.values(), *(i for others in self.others.values() for i in others)]

    def reached(self) -> "list[Instance]":
        """This instance and everything it calls, callees first."""
        order: list[Instance] = []
        seen: set[Instance] = set()

        def visit(instance: Instance) -> None:
            if instance in seen:
                return
            seen.add(instance)
            for called in instance.called():
                visit(called)
            order.append(instance)

        visit(self)
        return order
