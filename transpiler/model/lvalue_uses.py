"""What surrounds an lvalue does with it: reads it, writes it, or only passes on where it is."""

from cu2mlx.transpiler.model.expressions import cast_as_lvalue
from cu2mlx.transpiler.model.instances import Instance
from cu2mlx.transpiler.model.members import Parts
from cu2mlx.transpiler.syntax import Node

_IGNORING = ("expression_statement", "comma_expression", "for_statement")  # what an assignment gives


def use_of(node: Node, instance: Instance, parts: Parts) -> tuple[bool, bool]:
    """(read, written) by what surrounds an lvalue."""
    child, parent = node, node.parent
    while parent is not None:
        cast = cast_as_lvalue(instance.typing.text, child)
        if not (
            cast is not None
            or parent.kind == "parenthesized_expression"
            or (parent.kind == "field_expression" and child.field == "argument")
            or (
                parent.kind == "subscript_expression"
                and child.field == "argument"
                and _stays(parent, instance)
            )
        ):
            break
        child = cast or parent
        parent = child.parent
    if parent is None:
        return True, False
    if parent.kind == "assignment_expression" and child.field == "left":
        plain = parent.need("operator").kind == "="
        around = parent.parent
        used = around is not None and around.kind not in _IGNORING
        return not plain or used or parts.leave_some(child), True
    if parent.kind == "update_expression":
        return True, True
    if parent.kind == "return_statement" and instance.function.result.is_reference:
        return False, False  # counted where it is called
    if parent.kind == "gnu_asm_output_operand":
        return "+" in instance.typing.spelling(parent).split("(")[0], True
    if parent.kind == "pointer_expression" and parent.children[0].kind == "&":
        return False, False
    if parent.kind == "init_declarator" and any(c.kind == "reference_declarator" for c in parent.children):
        return False, False
    if parent.kind == "argument_list" and parent.parent is not None:
        called = instance.calls.get(parent.parent)
        if called is not None:
            position = parent.named_children.index(child)
            known = called.function.parameters
            if position < len(known) and known[position].type.is_reference:
                return False, False  # counted with the call
    if child.kind == "field_expression" and parent.kind == "call_expression" and child.field == "function":
        called = instance.calls.get(parent)
        object_ = instance.typing.type_of(node)
        keeps = (called is not None and called.function.is_const) or (object_ is not None and object_.const)
        return True, not keeps  # a method may do anything to its object
    return True, False


def _stays(subscript: Node, instance: Instance) -> bool:
    """Whether subscripting stays inside the same object: arrays and lanes, not pointers loaded from memory."""
    base = instance.typing.type_of(subscript.need("argument"))
    return base is None or not base.is_pointer
