"""Casts: a pointer keeps the address space of what it is made of."""

from cu2mlx.transpiler.model.declarations import Space
from cu2mlx.transpiler.model.expressions import cast_target
from cu2mlx.transpiler.model.types import Type, canonical, names_reference
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.rules.lanes import lane_address
from cu2mlx.transpiler.syntax import Node


def named(node: Node, function: Node, arguments: Node, context: Context) -> str:
    target = cast_target(context.text, function)
    assert target is not None
    value = arguments.named_children[0]
    kind = context.source(function.need("name"))
    rendered = context.render(value)
    type_ = context.typing.type_of(node)
    if type_ is not None and type_.has_pointer:
        return _pointer(target, value, rendered, context, kind)
    if type_ is not None and names_reference(target) and type_.value == context.typing.type_of(value):
        return rendered  # of the value's own type
    if names_reference(target) and context.lvalue(value) is Space.INOUT:
        return f"(*{_reinterpreted(target, f'&{rendered}', context)})"
    lane = lane_address(value, context) if names_reference(target) else None
    if lane is not None:
        return f"(*({context.lvalue(value)} {context.render(target.need('type'))}*){lane})"
    inner = context.render(target)
    if kind == "const_cast" or "&" in context.source(target):
        saved, context.cast_space = context.cast_space, context.lvalue(value)
        inner = context.render(target)
        context.cast_space = saved
    variable = context.typing.names.meaning.get(value)
    if variable is not None and variable.dynamic and variable.type.is_array and "&" in inner:
        return f"(*{kind}<{inner.replace('&', '*')}>({rendered}))"  # in Metal it is a pointer
    if (
        kind == "const_cast"
        and context.typing.type_of(value) is not None
        and not context.typing.is_pointer(value)
    ):
        return f"const_cast<{inner}>({rendered})"
    return f"{kind}<{inner}>({rendered})"


def _pointer(target: Node, value: Node, rendered: str, context: Context, kind: str) -> str:
    """A cast keeps the address space of what it casts; an inout_ptr is reinterpreted by its own method."""
    space = context.pointee(value)
    if space is Space.INOUT:
        return _reinterpreted(target, rendered, context)
    saved, context.cast_space = context.cast_space, space
    inner = context.render(target)
    context.cast_space = saved
    return f"({inner})({rendered})" if kind == "" else f"{kind}<{inner}>({rendered})"


def _reinterpreted(target: Node, pointer: str, context: Context) -> str:
    element = target.need("type")
    base = context.render(element)
    record = context.declared.record(context.typing.alias(Type(canonical(context.source(element)))))
    if record is not None:
        context.printed.facts.add(f"inout:{record.name}")
    return f"cu::reinterpret<{'uchar' if base == 'void' else base}>({pointer})"


def expression(node: Node, context: Context) -> str | None:
    """`(float4*)p` takes p's space."""
    target, value = node.need("type"), node.need("value")
    type_ = context.typing.type_of(node)
    space = context.pointee(value)
    if type_ is None or not type_.has_pointer:
        if space is Space.INOUT and context.typing.is_pointer(value):  # an address as a number
            return f"({context.render(target)})({context.render(value)}).delta"
        return None
    rendered = context.render(value)
    if space is Space.INOUT:
        return _pointer(target, value, rendered, context, "")
    saved, context.cast_space = context.cast_space, space
    inner = context.render(target)
    context.cast_space = saved
    gap = context.text[node.children[2].end : value.start] if len(node.children) > 2 else ""
    return f"({inner}){gap}{rendered}"
