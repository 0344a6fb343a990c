"""What an expression points into, and where an lvalue lives, as far as a walk knows by now."""

from typing import TYPE_CHECKING

from cu2mlx.transpiler.model.declarations import Space
from cu2mlx.transpiler.model.expressions import called_name, cast_target
from cu2mlx.transpiler.model.types import names_reference
from cu2mlx.transpiler.syntax import Node

if TYPE_CHECKING:
    from cu2mlx.transpiler.model.expressions import Typing
    from cu2mlx.transpiler.model.space_walk import Walk


def pointee(walk: "Walk", node: Node) -> Space | None:
    """The space a pointer-valued expression points into, None while unknown."""
    kind = node.kind
    if kind == "identifier":
        variable = walk.typing.names.meaning.get(node)
        if variable is None:
            return None
        value = variable.type.value
        if value.is_array:  # decays: it points to itself
            return lvalue(walk, node)
        if is_shared_object(node, walk.typing):
            return Space.THREADGROUP
        return walk.space_of_slot(variable)
    if kind == "pointer_expression" and node.children[0].kind == "&":
        return lvalue(walk, node.need("argument"))
    if kind == "subscript_expression" and node in walk.instance.calls:
        return walk.instance.calls[node].result
    if kind in ("subscript_expression", "pointer_expression"):
        type_ = walk.typing.type_of(node)
        if type_ is not None and type_.is_array:
            return lvalue(walk, node)
        slot = walk.slot(node)
        return walk.space_of_slot(slot) if slot is not None else None
    if kind == "field_expression":
        member = walk.member(node)
        if member is None:
            return None
        return lvalue(walk, node) if member.type.is_array else walk.space_of_slot(member)
    if kind == "this":
        return walk.own_part()
    if kind in ("string_literal", "concatenated_string", "raw_string_literal"):
        return Space.CONSTANT
    if kind == "call_expression":
        function = node.need("function")
        if cast_target(walk.solver.text, function) is not None:
            return pointee(walk, node.need("arguments").named_children[0])
        called = walk.instance.calls.get(node)
        if called is not None and called.result is not None:
            return called.result
        return Space.THREADGROUP if is_shared_object(node, walk.typing) else None
    if kind == "compound_literal_expression" and is_shared_object(node, walk.typing):
        return Space.THREADGROUP
    for part in _PARTS.get(kind, ()):
        inner = node.child(part) if part != "" else next(iter(node.named_children), None)
        found = pointee(walk, inner) if inner is not None else None
        if found is not None:
            return found
    return None


PASSED_ON = frozenset({"forward", "move"})  # functions that give what they are given


def is_shared_object(node: Node, typing: "Typing") -> bool:
    """Whether an object, made on the spot or a variable, stands for the dynamic threadgroup memory:
    `SharedMemory<T>()`."""
    if node.kind == "identifier":
        variable = typing.names.meaning.get(node)
        return variable is not None and typing.declared.is_shared(variable.type)
    made = node.child("function") or node.child("type")
    name = called_name(typing.text, made) if made is not None and node.kind == "call_expression" else ""
    if made is not None and node.kind == "compound_literal_expression":
        name = typing.spelling(made).partition("<")[0]
    record = typing.declared.records.get(name)
    return record is not None and record.shared is not None


_PARTS: dict[str, tuple[str, ...]] = {
    "parenthesized_expression": ("",),
    "binary_expression": ("left", "right"),
    "cast_expression": ("value",),
    "conditional_expression": ("consequence", "alternative"),
    "assignment_expression": ("left", "right"),
    "update_expression": ("argument",),
    "comma_expression": ("right",),
}


def lvalue(walk: "Walk", node: Node) -> Space | None:
    """The space an lvalue lives in; temporaries are the thread's."""
    kind = node.kind
    if kind == "identifier":
        variable = walk.typing.names.meaning.get(node)
        if variable is None:
            return Space.THREAD
        if variable.type.is_pointer_reference:
            return Space.THREAD
        if variable.type.is_reference:
            return walk.space_of_slot(variable)
        if variable.holder.kind == "field_declaration" and variable.space is Space.THREAD:
            return walk.own_part()
        return walk.solver.global_space.get(variable, variable.space)
    if kind == "subscript_expression" and node in walk.instance.calls:
        operator = walk.instance.calls[node]
        return operator.result if operator.function.result.is_reference else Space.THREAD
    if kind == "subscript_expression":
        argument = node.need("argument")
        type_ = walk.typing.type_of(argument)
        if type_ is not None and (type_.is_array or not type_.shape):
            return lvalue(walk, argument)
        return pointee(walk, argument)
    if kind == "pointer_expression" and node.children[0].kind == "*":
        return pointee(walk, node.need("argument"))
    if kind == "field_expression":
        member = walk.member(node)
        if member is not None and member.type.is_reference:
            return walk.space_of_slot(member)
        argument = node.need("argument")
        arrow = any(c.kind == "->" for c in node.children)
        return pointee(walk, argument) if arrow else lvalue(walk, argument)
    if kind == "parenthesized_expression":
        return lvalue(walk, node.named_children[-1])
    if kind == "conditional_expression":
        return lvalue(walk, node.need("alternative"))
    if kind in ("assignment_expression",):
        return lvalue(walk, node.need("left"))
    if kind == "call_expression":
        called = walk.instance.calls.get(node)
        if called is not None and called.function.result.is_reference:
            return called.result
        target = cast_target(walk.solver.text, node.need("function"))
        is_reference = target is not None and names_reference(target)
        if is_reference or called_name(walk.solver.text, node.need("function")) in PASSED_ON:
            return lvalue(walk, node.need("arguments").named_children[0])
    if kind == "parameter_pack_expansion":
        return lvalue(walk, node.need("pattern"))
    return Space.THREAD
