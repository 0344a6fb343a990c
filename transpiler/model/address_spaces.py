"""The address space of every pointer and reference, found from the kernels down through all calls.

A helper called with pointers into different spaces gets one Instance for each combination; MSL overloads on
address spaces, so the renderer prints the helper once per instance, under its own name.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cu2mlx.transpiler.model.declarations import Declarations, Function, Space, Variable
from cu2mlx.transpiler.model.expressions import ResultOf, Typing
from cu2mlx.transpiler.model.instances import Conflict, Instance, Spaces
from cu2mlx.transpiler.model.pointees import lvalue, pointee
from cu2mlx.transpiler.model.scopes import resolve
from cu2mlx.transpiler.model.space_walk import HANDLERS, Walk, says_something
from cu2mlx.transpiler.model.template_values import Values, function_name
from cu2mlx.transpiler.model.types import Type, canonical
from cu2mlx.transpiler.syntax import Node

__all__ = ["AddressSpaces", "Conflict", "Instance", "Spaces"]


@dataclass(slots=True)
class AddressSpaces:
    """Solves one kernel and all it reaches. `field_space` holds what pointer members of records point into,
    `global_space` where `__device__` variables and unset `__constant__` arrays live for this kernel."""

    declared: Declarations
    text: str
    result_of: ResultOf
    typings: dict[tuple[Function, Values], Typing]  # shared by the solvers of one unit
    instances: dict[tuple[Function, Values, Spaces, Space], Instance] = field(default_factory=dict)
    field_space: dict[Variable, Space] = field(default_factory=dict)
    global_space: dict[Variable, Space] = field(default_factory=dict)
    in_place: bool = (
        False  # whether a buffer is read and written: without one nothing points into Space.INOUT
    )
    asked: set[Variable] = field(default_factory=set)  # whose space something was told from
    changed: bool = False  # what was asked for is another now
    statements: dict[tuple[Function, Values], list[Node]] = field(
        default_factory=dict
    )  # those that say something about spaces
    visiting: set[Instance] = field(default_factory=set)
    done: set[Instance] = field(default_factory=set)

    def typing(self, function: Function, values: Values = ()) -> Typing:
        found = self.typings.get((function, values))
        if found is None:
            names = resolve(function, self.declared, self.text)
            found = Typing(function, names, self.declared, self.text, self.result_of)
            for parameter, value in values:
                if (
                    self.declared.record(Type(value)) is None
                    and function_name(value) in self.declared.functions
                ):
                    found.functions[parameter] = value
                else:
                    names.local_aliases[parameter] = Type(canonical(value))
            self.typings[function, values] = found
        return found

    def kernel(self, function: Function, chosen: Mapping[Variable, Space], values: Values) -> Instance:
        """The kernel's instance for what its template parameters stand for, with everything below it solved.

        `chosen` says what each pointer parameter, pointer member of a parameter and global is to MLX.
        """
        self.instances.clear()
        self.field_space = {v: s for v, s in chosen.items() if not v.is_parameter and not v.is_global}
        self.global_space = {v: s for v, s in chosen.items() if v.is_global}
        spaces: Spaces = tuple(
            chosen.get(p, Space.DEVICE) if p.type.has_pointer else None for p in function.parameters
        )
        self.in_place = Space.INOUT in chosen.values()
        self.asked.clear()
        for _ in range(10):  # results of callees and members of records settle in a few rounds
            self.changed = False
            self.done.clear()
            instance = self.instance(function, spaces, values=values)
            if not self.changed:
                break
        return instance

    def _statements(self, instance: Instance, values: Values) -> list[Node]:
        found = self.statements.get((instance.function, values))
        if found is None:
            nodes = instance.typing.nodes(HANDLERS.keys())
            found = [node for node in nodes if says_something(node, instance.typing)]
            self.statements[instance.function, values] = found
        return found

    def pointee(self, instance: Instance, node: Node) -> Space | None:
        return pointee(Walk(self, instance), node)

    def lvalue(self, instance: Instance, node: Node) -> Space | None:
        return lvalue(Walk(self, instance), node)

    def instance(
        self, function: Function, spaces: Spaces, own: Space = Space.THREAD, values: Values = ()
    ) -> Instance:
        key = (function, values, spaces, own)
        instance = self.instances.get(key)
        if instance is None:
            instance = Instance(function, spaces, self.typing(function, values), own)
            for parameter, space in zip(function.parameters, spaces, strict=True):
                if space is not None:
                    instance.space_of[parameter] = space
            self.instances[key] = instance
        if instance not in self.visiting and instance not in self.done and function.body is not None:
            self.visiting.add(instance)
            walk = Walk(self, instance)
            for node in self._statements(instance, values):
                HANDLERS[node.kind](walk, node)
            self.visiting.discard(instance)
            self.done.add(instance)
        return instance
