"""Buffers that a kernel reads and writes: `p[i]` is a proxy, and a read says so with `.get()`.

Reads that no write can come before see the input: `p.base[i]`, or `p_in[i]` where each thread has its own element.
"""

from cu2mlx.transpiler.model.declarations import Space
from cu2mlx.transpiler.model.expressions import cast_as_lvalue
from cu2mlx.transpiler.model.null_tests import CONDITIONS, OPERATORS, tested_by, truth
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.rules.types import type_name
from cu2mlx.transpiler.syntax import Node
from cu2mlx.transpiler.tables.spell import is_primary

_UNPROMOTED = frozenset({"float", "int", "unsigned int", "long", "unsigned long"})  # T op T is T


def element(node: Node, context: Context) -> str | None:
    """`p[i]` and `*p` of an inout_ptr, where their value is read: C++ would not convert the proxy everywhere."""
    base = node.need("argument")
    type_ = context.typing.type_of(node)
    is_pointer = type_ is not None and bool(type_.shape)  # `rows[0]` of `float* rows[2]`
    if node in context.instance.first_reads and not is_pointer and not is_written(node, context):
        return _first(node, context)
    if not context.spaces.in_place:
        return None
    if node.kind == "pointer_expression" and node.children[0].kind != "*":
        return _address(node, base, context)
    if is_pointer:
        return None
    if context.pointee(base) is not Space.INOUT or is_written(node, context):
        return None
    return f"{_as_written(node, base, context)}.get()"


def _first(node: Node, context: Context) -> str:
    base, indices = node.need("argument"), "".join(context.render(i) for i in node.fields("indices"))
    variable = context.typing.names.meaning.get(base)
    input_ = f"{variable.name}_in" if variable in context.ways_past else f"{context.render(base)}.base"
    return f"{input_}{indices}"


def changed(node: Node, context: Context) -> str | None:
    """`p[i] += v` and `++p[i];` where the element is the input's until then: `p[i] = p.base[i] + v`."""
    left = node.need("left" if node.kind == "assignment_expression" else "argument")
    type_ = context.typing.type_of(left)
    operator = node.need("operator").kind
    first = left.kind == "subscript_expression" and left in context.instance.first_reads
    if not first or operator == "=" or type_ is None:
        return None
    base, indices = (
        context.render(left.need("argument")),
        "".join(context.render(i) for i in left.fields("indices")),
    )
    right = node.child("right")
    value = context.render(right) if right is not None else "1"
    given = context.typing.type_of(right) if right is not None else type_
    new = f"{_first(left, context)} {operator[:-1]} {value if is_primary(value) else f'({value})'}"
    exact = type_.base in _UNPROMOTED and given is not None and given.base == type_.base
    return f"{base}{indices} = {new if exact else f'{type_name(type_.base, node, context)}({new})'}"


def _as_written(node: Node, base: Node, context: Context) -> str:
    rendered = context.render(base)
    if node.kind == "pointer_expression":
        return f"(*{rendered})"
    indices = "".join(context.render(i) for i in node.fields("indices"))
    return f"{rendered}{indices}"


def _address(node: Node, base: Node, context: Context) -> str | None:
    """`&p[i]` is `p + i`."""
    if base.kind != "subscript_expression" or context.pointee(base.need("argument")) is not Space.INOUT:
        return None
    indices = base.need("indices").named_children
    type_ = context.typing.type_of(base)
    if len(indices) != 1 or (type_ is not None and type_.shape):
        return None
    index = context.render(indices[0])
    return f"({context.render(base.need('argument'))} + {index if is_primary(index) else f'({index})'})"


def member(node: Node, context: Context) -> str | None:
    """`p->x` of an inout_ptr reads a copy of the element."""
    if not context.spaces.in_place:
        return None
    base = node.need("argument")
    if not any(child.kind == "->" for child in node.children) or not _is_inout(base, context):
        return None
    if _lane_written(node, context):
        return None
    return f"(*{context.render(base)}).get().{context.render(node.need('field'))}"


def is_written(node: Node, context: Context) -> bool:
    """Whether the proxy itself is needed: assigned, incremented, bound to a reference, its address taken."""
    child: Node = node
    parent = node.parent
    while parent is not None and parent.kind == "parenthesized_expression":
        child = parent
        parent = parent.parent
    if parent is None:
        return True
    if parent.kind == "field_expression":
        return _lane_written(parent, context)
    if parent.kind == "assignment_expression" and child.field == "left":
        return True
    if parent.kind == "update_expression" or parent.kind == "pointer_expression":
        return True
    if parent.kind == "init_declarator" and any(c.kind == "reference_declarator" for c in parent.children):
        return True
    cast = cast_as_lvalue(context.text, child)
    if cast is not None:
        return is_written(cast, context)
    if parent.kind == "argument_list" and parent.parent is not None:
        called = context.instance.calls.get(parent.parent)
        if called is not None:
            position = parent.named_children.index(child)
            known = called.function.parameters
            return position < len(known) and known[position].type.is_reference
    if parent.kind == "return_statement":
        return context.instance.function.result.is_reference
    return parent.kind == "expression_statement"


def _lane_written(node: Node, context: Context) -> bool:
    """`p[i].x = v`, `&p[i].x` and `p[i].change()` mean a part or the object there: the proxy has none, so this is
    refused."""
    while (whole := part_of(node, context)) is not None:
        node = whole
    parent = node.parent
    written = parent is not None and (
        _is_changing_method(node, parent, context)
        or (parent.kind == "assignment_expression" and node.field == "left")
        or parent.kind == "update_expression"
        or (parent.kind == "pointer_expression" and parent.children[0].kind == "&")
    )
    if written:
        context.report("CU2107", node, name=context.source(node))
    return written


def _is_changing_method(node: Node, call: Node, context: Context) -> bool:
    called = context.instance.calls.get(call) if node.field == "function" else None
    return called is not None and not (called.function.is_const or called.function.is_static)


def part_of(node: Node, context: Context) -> Node | None:
    """`p[i].a.b` of `p[i].a`, `p[i].a[k]` where `a` is an array: what one step further names a part of."""
    parent, type_ = node.parent, context.typing.type_of(node)
    if parent is None or node.field != "argument":
        return None
    if parent.kind == "field_expression":
        return None if any(child.kind == "->" for child in parent.children) else parent
    return parent if parent.kind == "subscript_expression" and type_ is not None and type_.is_array else None


def tested(node: Node, context: Context) -> str | None:
    """`p == nullptr`, `!p`, `p && q`, `p ? a : b` and `if (p)` ask for the buffer that p reads."""
    if not context.spaces.in_place:
        return None
    operator = node.child("operator")
    if operator is not None and operator.kind not in OPERATORS:
        return None
    holder = node.parent if node.kind == "condition_clause" else node
    if holder is None or holder.kind not in CONDITIONS:
        return None
    pointers = [p for p in tested_by(holder, context.typing) if context.pointee(p) is Space.INOUT]
    return _reading(node, pointers, context) if pointers else None


def as_flag(node: Node, context: Context) -> str | None:
    """`bool has = p;`"""
    if not context.spaces.in_place:
        return None
    value, specified = node.child("value"), node.parent.child("type") if node.parent is not None else None
    if value is None or specified is None or context.source(specified) != "bool":
        return None
    pointers = [p for p in truth(value, context.typing) if context.pointee(p) is Space.INOUT]
    return _reading(node, pointers, context) if pointers else None


def _reading(node: Node, pointers: list[Node], context: Context) -> str:
    """The text of `node` with the buffers that these pointers read in their place."""
    if node in pointers:
        text = context.render(node)
        return f"{text if is_primary(text) else f'({text})'}.base"
    if not any(node.index < pointer.index < node.after for pointer in pointers):
        return context.render(node)
    parts, position = [], node.start
    for child in node.children:
        parts += [context.text[position : child.start], _reading(child, pointers, context)]
        position = child.end
    return "".join(parts)


def _is_inout(node: Node, context: Context) -> bool:
    return context.typing.is_pointer(node) and context.pointee(node) is Space.INOUT


RULES = {
    "subscript_expression": element,
    "pointer_expression": element,
    "binary_expression": tested,
    "unary_expression": tested,
    "condition_clause": tested,
    "init_declarator": as_flag,
    "update_expression": changed,
}
