"""The bits of a 16-bit float: PyTorch's at::Half and CUDA's __half_raw have them as member x, Metal's types do not."""

from cu2mlx.transpiler.rules import inout, parts
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.rules.types import type_name
from cu2mlx.transpiler.syntax import Node

_SIXTEEN = frozenset({"__half", "half", "__nv_bfloat16"})


def _sixteen(node: Node, context: Context) -> str | None:
    """Metal's name of the 16-bit float whose member x a field expression is."""
    type_ = context.typing.type_of(node.need("argument"))
    if (
        type_ is None
        or type_.shape
        or type_.base not in _SIXTEEN
        or context.source(node.need("field")) != "x"
    ):
        return None
    return type_name(type_.base, node, context)


def bits(node: Node, context: Context) -> str | None:
    """`h.x` read."""
    if _sixteen(node, context) is None:
        return parts.field(node, context)
    return f"as_type<ushort>({context.render(node.need('argument'))})"


def assign_bits(node: Node, context: Context) -> str | None:
    """`h.x = value`."""
    left = node.need("left")
    if left.kind != "field_expression" or node.need("operator").kind != "=":
        return inout.changed(node, context)
    name = _sixteen(left, context)
    if name is None:
        return None
    value = context.render(node.need("right"))
    return f"{context.render(left.need('argument'))} = as_type<{name}>(ushort({value}))"


RULES = {"field_expression": bits, "assignment_expression": assign_bits}
