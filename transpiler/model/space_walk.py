"""One pass over one function: what its statements say about the spaces of its pointers."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cu2mlx.transpiler.model.assembly import shared_pointer
from cu2mlx.transpiler.model.declarations import Function, Record, Space, Variable
from cu2mlx.transpiler.model.expressions import Typing, called_name
from cu2mlx.transpiler.model.forwarding import is_value, pack_space
from cu2mlx.transpiler.model.instances import Conflict, Instance
from cu2mlx.transpiler.model.operators import (
    member_operators,
    operands,
    operator_functions,
    subscript_operators,
)
from cu2mlx.transpiler.model.overloads import candidates, converts, own_functions
from cu2mlx.transpiler.model.pointees import lvalue, pointee
from cu2mlx.transpiler.model.template_values import Values, function_name, given_values
from cu2mlx.transpiler.model.types import Type
from cu2mlx.transpiler.syntax import Node

if TYPE_CHECKING:
    from cu2mlx.transpiler.model.address_spaces import AddressSpaces


@dataclass(slots=True)
class Walk:
    """One pass over one instance's body."""

    solver: "AddressSpaces"
    instance: Instance

    # What the statements say

    def declaration(self, node: Node) -> None:
        for declarator in node.children:
            if declarator.kind != "init_declarator":
                continue
            value = declarator.child("value")
            variable = self.variable_declared(declarator)
            if variable is not None and value is not None:
                named = self.typing.names.variables if variable.is_part else (variable,)
                for each in named:
                    if each.declarator is variable.declarator:
                        self.bind(each, value)

    def variable_declared(self, declarator: Node) -> Variable | None:
        node: Node | None = declarator
        while node is not None:
            found = self.instance.typing.names.meaning.get(node)
            if found is not None:
                return found
            named = node.child("declarator")
            node = named if named is not None else next(iter(node.named_children), None)
        return None

    def bind(self, variable: Variable, value: Node) -> None:
        """`variable` starts as `value` (an expression or a braced list)."""
        if value.kind in ("initializer_list", "argument_list"):
            record = self.solver.declared.record(self.typing.alias(variable.type))
            if record is not None and not variable.type.shape:
                self.made(record, value, value.named_children)
            elif variable.type.has_pointer:
                for item in value.named_children:
                    self.assign(variable, self.pointee(item), item)
        elif variable.type.is_reference and not variable.type.is_pointer_reference:
            self.assign(variable, self.lvalue(value), value)
        elif variable.type.has_pointer or (variable.type.base == "auto" and self.typing.is_pointer(value)):
            self.assign(variable, self.pointee(value), value)

    def made(self, record: Record, node: Node, given: list[Node]) -> None:
        """An object of these values: they go to a constructor, or to the members in order."""
        if (
            len(given) == 1
            and self.solver.declared.record(self.typing.type_of(given[0]) or Type("")) is record
        ):
            return  # a copy
        constructors = [
            m for m in record.methods if m.name == record.name and len(m.parameters) >= len(given)
        ]
        fitting = [m for m in constructors if len(m.parameters) == len(given)] or constructors
        if fitting:
            self.instance.calls[node] = self.called_instance(fitting[0], given)
            self.instance.others[node] = [self.called_instance(f, given) for f in fitting[1:]]
            return
        for member, item in zip(record.fields.values(), given, strict=False):
            self.assign_field(member, item)

    def field_initialised(self, node: Node) -> None:
        """`data(data_)` of a constructor."""
        record, (name, values) = self.instance.function.record, node.named_children[:2]
        member = record.fields.get(self.typing.spelling(name)) if record is not None else None
        if member is not None and len(values.named_children) == 1:
            self.assign_field(member, values.named_children[0])

    def range_loop(self, node: Node) -> None:
        declarator, right = node.child("declarator"), node.child("right")
        variable = self.variable_declared(declarator) if declarator is not None else None
        if variable is not None and right is not None and variable.type.is_reference:
            self.assign(variable, self.lvalue(right), right)

    def assignment(self, node: Node) -> None:
        left, right = node.need("left"), node.need("right")
        if node.need("operator").kind != "=":
            return
        type_ = self.typing.type_of(left)
        if type_ is None or not type_.is_pointer:
            return
        target = self.slot(left)
        if target is not None:
            if target in self.instance.typing.names.variables or not self.is_field(target):
                self.assign(target, self.pointee(right), right)
            else:
                self.assign_field(target, right)

    def returned(self, node: Node) -> None:
        value = next(iter(node.named_children), None)
        if value is None or node.above("lambda_expression") is not None:
            return
        result = self.instance.function.result
        space = None
        if result.is_reference:
            space = self.lvalue(value)
        elif result.has_pointer or (result.base == "auto" and self.typing.is_pointer(value)):
            space = self.pointee(value)
        if space is not None and self.instance.result is not space:
            if self.instance.result is not None:
                self.conflict(value, self.instance.function.name, self.instance.result, space)
            else:
                self.instance.result = space
                self.solver.changed = True

    def operator(self, node: Node) -> None:
        """An operator of the user's: a call like any other."""
        overloads = operator_functions(node, self.typing)
        if overloads:
            self.called_as(node, overloads, operands(node), None)
        elif members := member_operators(node, self.typing):
            whole, *given = operands(node)
            self.called_as(node, members, given, self.lvalue(whole))

    def subscript(self, node: Node) -> None:
        """`view[i]` of a record with an operator[]."""
        whole = node.need("argument")
        methods = subscript_operators(whole, self.typing)
        if methods:
            self.called_as(node, methods, node.need("indices").named_children, self.lvalue(whole))

    def called_as(self, node: Node, overloads: list[Function], given: list[Node], own: Space | None) -> None:
        called = [self.called_instance(f, given, own, given_values(self, f, node, given)) for f in overloads]
        self.instance.calls[node], self.instance.others[node] = called[0], called[1:]

    def assigned_or_called(self, node: Node) -> None:
        self.assignment(node)
        self.operator(node)

    def call(self, node: Node) -> None:
        function = node.need("function")
        arguments = node.child("arguments")
        if arguments is None or arguments.kind != "argument_list":
            return
        named = function.kind == "template_function"
        name = self.typing.spelling(function) if named else called_name(self.solver.text, function)
        record = self.solver.declared.record(self.typing.alias(Type(name)))
        if record is not None and function not in self.typing.names.meaning:
            self.made(record, node, arguments.named_children)
            return
        callees = self.callees(node, function)
        if callees:
            own = self.object_space(function) if callees[0].record is not None else None
            self.called_as(node, callees, arguments.named_children, own)
            if self.instance.calls[node].shown_own is not None and self.is_own(function):
                self.instance.own_matters = True

    def is_own(self, function: Node) -> bool:
        """Whether a call is of another method of the same object: `at(r)`, not `tile.at(r)` or `op(x)`."""
        return function.kind != "field_expression" and function not in self.typing.names.meaning

    def object_space(self, function: Node) -> Space | None:
        """Where the object of a method call lives."""
        if self.is_own(function):
            return self.instance.own
        if function.kind != "field_expression":
            return self.lvalue(function)
        whole = function.need("argument")
        arrow = any(c.kind == "->" for c in function.children)
        return self.pointee(whole) if arrow else self.lvalue(whole)

    def own_part(self) -> Space:
        """The space of the object whose method this is; its statements, unlike a rule that asks, hand it on."""
        if self.instance in self.solver.visiting:
            self.instance.own_matters = True
        return self.instance.own

    def called_instance(
        self, callee: Function, arguments: list[Node], own: Space | None = None, values: Values = ()
    ) -> Instance:
        """The callee for the spaces of these arguments, and for an object that lives in `own`."""
        spaces: list[Space | None] = [None] * len(callee.parameters)
        for index, (parameter, argument) in enumerate(zip(callee.parameters, arguments, strict=False)):
            if parameter.type.is_pointer_reference:
                spaces[index] = self.pointee(argument)
            elif parameter.type.is_reference:
                made = parameter.type.const and converts(self.typing, parameter, argument)
                spaces[index] = Space.THREAD if made else self.lvalue(argument)
            elif parameter.type.has_pointer or self.typing.is_pointer(argument):
                spaces[index] = self.pointee(argument) or self.default_space(parameter)
        for index, parameter in enumerate(callee.parameters):
            if parameter.is_pack and parameter.type.is_reference:
                spaces[index] = pack_space(self, callee, parameter, arguments[index:])
            elif parameter.type.is_forwarding and index < len(arguments) and is_value(self, arguments[index]):
                spaces[index] = None
            elif spaces[index] is None and (parameter.type.has_pointer or parameter.type.is_reference):
                spaces[index] = self.default_space(parameter)
            if spaces[index] is Space.DEVICE and parameter.type.const:
                spaces[index] = Space.READ  # prints the same: one instance will do
        if own is None or own is Space.INOUT or callee.is_static:
            own = Space.THREAD
        return self.solver.instance(callee, tuple(spaces), own, values)

    @staticmethod
    def default_space(parameter: Variable) -> Space:
        plain = parameter.type.is_reference and not parameter.type.is_pointer_reference
        return Space.THREAD if plain else Space.DEVICE

    def callees(self, node: Node, function: Node) -> list[Function]:
        """The user's functions that a call may mean, the likeliest first."""
        if function.kind == "field_expression":
            return self.methods(node, function)
        name = called_name(self.solver.text, function)
        name = function_name(self.typing.functions.get(name, name))
        variable = self.typing.names.meaning.get(function)
        made = self.typing.type_of(function) if function.kind == "call_expression" else None  # `Op<T>()(x)`
        called = variable.type if variable is not None else made
        record = self.solver.declared.record(self.typing.alias(called)) if called is not None else None
        if record is not None:
            operators = [m for m in record.all_methods if m.name.replace(" ", "") == "operator()"]
            return candidates(self.typing, operators, node) if operators else []
        if variable is not None and not variable.is_global:
            self.lambda_call(variable, node)
            return []
        scoped = self.scoped_record(function)
        own = scoped if scoped is not None else self.instance.function.record
        if own is not None:
            methods = [m for m in own.all_methods if m.name == name]
            if methods:
                return candidates(self.typing, methods, node)
        overloads = own_functions(self.typing, name, node)
        if overloads and shared_pointer(node, self.typing) is not None:
            return []  # the pointer that it converts is followed instead
        if not overloads:
            return []
        if overloads == [self.instance.function] and self.solver.result_of(name) is not None:
            return []  # a wrapper that adds one overload to a builtin, and calls that
        likely = candidates(self.typing, overloads, node)
        if self.solver.declared.specialised.isdisjoint(overloads):
            return likely
        count = len(node.need("arguments").named_children)  # chosen by template arguments: all are needed
        return likely + [f for f in overloads if f not in likely and len(f.parameters) == count]

    def scoped_record(self, function: Node) -> Record | None:
        """The record of a static call: `Reducer<T>::init()`."""
        found: Record | None = None
        while function.kind == "qualified_identifier":
            scope = function.child("scope")
            if scope is not None:
                named = self.typing.alias(Type(self.typing.spelling(scope)))
                found = self.solver.declared.record(named) or found
            function = function.need("name")
        return found

    def methods(self, node: Node, function: Node) -> list[Function]:
        base = self.typing.type_of(function.need("argument"))
        field_node = function.need("field")
        name = called_name(self.solver.text, field_node) or self.typing.spelling(field_node)
        record = self.solver.declared.record(base) if base is not None else None
        found = [m for m in record.all_methods if m.name == name] if record is not None else []
        if base is None:  # `auto x = y.template make<4>();`: the name tells where it is one class's
            found = [m for m in self.solver.declared.methods.values() if m.name == name]
            found = found if len({m.record.name for m in found if m.record is not None}) == 1 else []
        return candidates(self.typing, found, node) if found else []

    def lambda_call(self, variable: Variable, node: Node) -> None:
        """Arguments of a call of a local lambda bind its parameters."""
        value = variable.initialiser
        if value is None or value.kind != "lambda_expression":
            return
        declarator = value.child("declarator")
        listed = declarator.child("parameters") if declarator is not None else None
        if listed is None:
            return
        for parameter, argument in zip(
            listed.named_children, node.need("arguments").named_children, strict=False
        ):
            declared = parameter.child("declarator")
            meant = self.variable_declared(declared) if declared is not None else None
            if meant is not None:
                self.bind(meant, argument)

    # What they mean for slots

    @property
    def typing(self) -> Typing:
        return self.instance.typing

    def is_field(self, variable: Variable) -> bool:
        return variable in self.solver.declared.fields

    def assign(self, variable: Variable, space: Space | None, node: Node) -> None:
        self._settle(self.instance.space_of, variable, space, node)

    def assign_field(self, member: Variable, value: Node) -> None:
        space = self.pointee(value) if member.type.has_pointer else None
        if member.type.is_reference:
            space = self.lvalue(value)
        self._settle(self.solver.field_space, member, space, value)

    def _settle(self, spaces: dict[Variable, Space], slot: Variable, space: Space | None, node: Node) -> None:
        """Record what a slot points into; `const device` wins over `device`, anything else is a conflict."""
        if space is None:
            return
        known = spaces.get(slot)
        if known is None or (known is Space.DEVICE and space is Space.READ):
            spaces[slot] = space
            self.solver.changed |= slot in self.solver.asked
        elif known is not space and not (known is Space.READ and space is Space.DEVICE):
            self.conflict(node, slot.name, known, space)

    def conflict(self, node: Node, name: str, first: Space, second: Space) -> None:
        if all(c.node is not node for c in self.instance.conflicts):
            self.instance.conflicts.append(Conflict(node, name, first, second))

    def slot(self, node: Node) -> Variable | None:
        """The variable or member whose pointer an lvalue expression is."""
        if node.kind == "identifier":
            return self.typing.names.meaning.get(node)
        if node.kind == "parenthesized_expression":
            return self.slot(node.named_children[0])
        if node.kind == "subscript_expression":
            return self.slot(node.need("argument"))
        if node.kind == "pointer_expression" and node.children[0].kind == "*":
            return self.slot(node.need("argument"))
        if node.kind == "field_expression":
            return self.member(node)
        return None

    def member(self, node: Node) -> Variable | None:
        name = self.solver.text[node.need("field").start : node.need("field").end]
        base = self.typing.type_of(node.need("argument"))
        record = self.solver.declared.record(base) if base is not None else None
        if record is None and node.need("argument").kind == "this":
            record = self.instance.function.record
        return record.fields.get(name) if record is not None else None

    def space_of_slot(self, variable: Variable) -> Space | None:
        self.solver.asked.add(variable)
        found = self.instance.space_of.get(variable)
        if found is not None:
            return found
        found = self.solver.field_space.get(variable)
        if found is not None:
            return found
        return Space.DEVICE if self.is_field(variable) and variable.type.has_pointer else None

    def pointee(self, node: Node) -> Space | None:
        return pointee(self, node)

    def lvalue(self, node: Node) -> Space | None:
        return lvalue(self, node)


def says_something(node: Node, typing: Typing) -> bool:
    """Whether a node that a handler is for can mean anything to it: most operators and assignments do not."""
    if node.kind in _OPERATORS and (operator_functions(node, typing) or member_operators(node, typing)):
        return True
    if node.kind == "assignment_expression":
        type_ = typing.type_of(node.need("left"))
        return type_ is not None and type_.is_pointer
    if node.kind == "subscript_expression":
        return bool(subscript_operators(node.need("argument"), typing))
    return node.kind not in _OPERATORS


_OPERATORS = frozenset({"binary_expression", "unary_expression", "assignment_expression"})

HANDLERS = {
    "declaration": Walk.declaration,
    "for_range_loop": Walk.range_loop,
    "assignment_expression": Walk.assigned_or_called,
    "binary_expression": Walk.operator,
    "unary_expression": Walk.operator,
    "return_statement": Walk.returned,
    "call_expression": Walk.call,
    "subscript_expression": Walk.subscript,
    "field_initializer": Walk.field_initialised,
}
