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
    own: Space = Space.THREAD  # where the object of a method lives
    own_matters: bool = False  # it hands on references to parts of its object
    space_of: dict[Variable, Space] = field(default_factory=dict)
    result: Space | None = None
    calls: dict[Node, "Instance"] = field(default_factory=dict)
    others: dict[Node, list["Instance"]] = field(default_factory=dict)  # overloads a template type may select
    conflicts: list[Conflict] = field(default_factory=list)
    first_reads: set[Node] = field(
        default_factory=set
    )  # of buffers that the kernel changes: they see the input

    @property
    def takes_values(self) -> set[Variable]:
        """The `T&&` parameters and packs to which a value is handed that has no space to refer to."""
        given = zip(self.function.parameters, self.spaces, strict=True)
        return {p for p, space in given if (p.type.is_forwarding or p.is_pack) and space is None}

    @property
    def visible_spaces(self) -> Spaces:
        """The spaces its printed signature shows: two instances that agree here print the same text."""
        shown = zip(self.function.parameters, self.spaces, strict=True)
        return (self.shown_own, *(s if p.type.has_pointer or p.type.is_reference else None for p, s in shown))

    @property
    def shown_own(self) -> Space | None:
        """The space that qualifies a method which hands out a part of its object, or hands it on."""
        result = self.function.result
        returned = result.is_reference and self.result in (None, self.own)
        pointed = result.has_pointer and self.result is self.own
        constant = self.own is Space.CONSTANT  # the one space that a method without a space does not take
        return self.own if returned or pointed or constant or self.own_matters else None

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
