"""`c ? a : b` of records and 3-vectors: Metal chooses between values, not between places in different memory."""

from cu2mlx.transpiler.model.declarations import Space
from cu2mlx.transpiler.model.types import Type
from cu2mlx.transpiler.rules import inout
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.rules.types import packed, type_name
from cu2mlx.transpiler.syntax import Node
from cu2mlx.transpiler.tables.types import TYPES


def conditional(node: Node, context: Context) -> str | None:
    return _of_records(node, context) or inout.tested(node, context)


def _of_records(node: Node, context: Context) -> str | None:
    """The side that lives elsewhere as a copy: `c ? Best(shared[i]) : mine`."""
    first, second = node.child("consequence"), node.need("alternative")
    type_ = context.typing.type_of(node)
    if first is None or type_ is None or type_.shape or not _has_members(type_, context):
        return None
    if context.lvalue(first) == context.lvalue(second):
        return None
    name = type_name(type_.base, node, context)
    sides = {side: _copied(side, name, context) for side in (first, second)}
    parts, position = [], node.start
    for child in node.children:
        parts += [context.text[position : child.start], sides.get(child) or context.render(child)]
        position = child.end
    return "".join(parts)


def _has_members(type_: Type, context: Context) -> bool:
    row = TYPES.get(type_.base)
    three = row is not None and row.metal is not None and packed(row.metal) != row.metal
    return three or context.declared.record(type_) is not None


def _copied(side: Node, name: str, context: Context) -> str | None:
    elsewhere = context.lvalue(side) not in (None, Space.THREAD, Space.INOUT)
    return f"{name}({context.render(side)})" if elsewhere else None


RULES = {"conditional_expression": conditional}
