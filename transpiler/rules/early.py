"""Returns before a barrier: the threads stay, behind a flag."""

from cu2mlx.transpiler.rules.context import DROP, Context
from cu2mlx.transpiler.syntax import Node


def guard(node: Node, context: Context) -> str | None:
    """`if (i >= n) return;` is `const bool cu_active = !(i >= n);`."""
    if node not in context.leaving:
        return None
    flag, before = context.leaving[node]
    condition = context.render(node.need("condition").need("value"))
    stays = f"const bool {flag} = {f'{before} && ' if before else ''}!({condition});"
    inside = node.need("consequence")
    if inside.kind != "compound_statement" or len(inside.named_children) < 2:
        return stays
    gone = f"{before} && !{flag}" if before else f"!{flag}"
    return f"{stays} if ({gone}) {context.render(inside)}"


def leaving(node: Node, context: Context) -> str | None:
    """The return itself."""
    above = node.above("if_statement")
    return DROP if above is not None and above in context.leaving else None
