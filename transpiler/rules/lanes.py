"""Addresses of a vector's lanes, which Metal does not take: the vector's own, as a pointer to scalars."""

from cu2mlx.transpiler.model.declarations import Space
from cu2mlx.transpiler.rules import inout
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.rules.types import type_name
from cu2mlx.transpiler.syntax import Node
from cu2mlx.transpiler.tables.types import TYPES


def address(node: Node, context: Context) -> str | None:
    """`&v.y` is `((thread float*)&v + 1)`."""
    return lane_address(node.need("argument"), context) if node.children[0].kind == "&" else None


def lane_address(lane: Node, context: Context) -> str | None:
    """Of `v.y`; None for all that is no lane in plain memory."""
    while lane.kind == "parenthesized_expression":
        lane = lane.named_children[0]
    if lane.kind != "field_expression":
        return None
    vector, number = lane.need("argument"), "xyzw".find(context.source(lane.need("field")))
    of, scalar, space = context.typing.type_of(vector), context.typing.type_of(lane), context.lvalue(lane)
    row = TYPES.get(of.base) if of is not None else None
    if number < 0 or scalar is None or row is None or row.lanes < 2 or space in (None, Space.INOUT):
        return None
    pointer = any(child.kind == "->" for child in lane.children)
    const = "const " if of is not None and of.const and space is not Space.READ else ""
    cast = f"({const}{space} {type_name(scalar.base, lane, context)}*)"
    offset = f" + {number}" if number else ""
    return f"({cast}{'' if pointer else '&'}{context.render(vector)}{offset})"


def pointer_expression(node: Node, context: Context) -> str | None:
    return address(node, context) or inout.element(node, context)


RULES = {"pointer_expression": pointer_expression}
