"""Names of the cooperative groups: the support library has the same ones."""

from cu2mlx.transpiler import prelude
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.syntax import Node

NAMESPACES = frozenset({"cg", "cooperative_groups"})
TYPES = frozenset({"thread_block", "thread_block_tile", "coalesced_group", "thread_group"})


def in_namespace(node: Node, name: Node, context: Context) -> str:
    """`cg::name`. One that the support library lacks is left alone, and said where it is no call, which says so."""
    last = name.child("name") if name.kind in ("template_type", "template_function") else name
    if last is not None and context.source(last) in prelude.available():
        return f"cu::{context.render(name)}"
    if node.field != "function":
        context.report("CU2001", node, name=context.source(node))
    return context.source(node)
