"""Buffers that a kernel reads and writes: `p[i]` is a proxy, and a read says so with `.get()`."""

from cu2mlx.transpiler.model.declarations import Space
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.syntax import Node
from cu2mlx.transpiler.tables.spell import is_primary


def element(node: Node, context: Context) -> str | None:
    """`p[i]` and `*p` of an inout_ptr, where their value is read: C++ would not convert the proxy everywhere."""
    base = node.need("argument")
    if node.kind == "pointer_expression" and node.children[0].kind != "*":
        return _address(node, base, context)
    type_ = context.typing.type_of(node)
    if type_ is not None and type_.shape:
        return None
    if context.pointee(base) is not Space.INOUT or is_written(node, context):
        return None
    return f"{_as_written(node, base, context)}.get()"


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
    if parent.kind == "argument_list" and parent.parent is not None:
        called = context.instance.calls.get(parent.parent)
        if called is not None:
            position = parent.named_children.index(child)
            known = called.function.parameters
            return position < len(known) and known[position].type.is_reference
    return parent.kind == "expression_statement"


def _lane_written(node: Node, context: Context) -> bool:
    """`p[i].x = v` and `&p[i].x` mean one lane or member: the proxy has none, so this is refused."""
    parent = node.parent
    written = parent is not None and (
        (parent.kind == "assignment_expression" and node.field == "left")
        or parent.kind == "update_expression"
        or (parent.kind == "pointer_expression" and parent.children[0].kind == "&")
    )
    if written:
        context.report("CU2107", node, name=context.source(node))
    return written


def compared(node: Node, context: Context) -> str | None:
    """`p == nullptr` compares the buffer that p reads."""
    if node.need("operator").kind not in ("==", "!="):
        return None
    for side, other in (("left", "right"), ("right", "left")):
        pointer, null = node.need(side), node.need(other)
        if context.source(null) in ("NULL", "nullptr", "0") and _is_inout(pointer, context):
            return f"{context.render(pointer)}.base {node.need('operator').kind} nullptr"
    return None


def _is_inout(node: Node, context: Context) -> bool:
    return context.typing.is_pointer(node) and context.pointee(node) is Space.INOUT


RULES = {"subscript_expression": element, "pointer_expression": element, "binary_expression": compared}
