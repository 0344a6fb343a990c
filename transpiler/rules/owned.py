"""Buffers of which each thread reads and writes one element: it is read from the input, and copied where the kernel
leaves it alone."""

from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.syntax import Node


def missing(node: Node, context: Context) -> str | None:
    """`if (i < n) y[i] = …;` gets an else, for the threads that the kernel sends past their element."""
    kept = _kept(node, context)
    if not kept:
        return None
    condition, consequence = node.need("condition"), node.need("consequence")
    head = f"{context.text[node.start : condition.start]}{context.render(condition)}"
    gap = context.text[condition.end : consequence.start]
    otherwise = kept[0] if len(kept) == 1 else f"{{ {' '.join(kept)} }}"
    return f"{head}{gap}{context.render(consequence)} else {otherwise}"


def leaving(node: Node, context: Context) -> str | None:
    """`if (i >= n) return;`"""
    kept = _kept(node, context)
    if not kept:
        return None
    statements = " ".join([*kept, "return;"])
    alone = node.parent is not None and node.parent.kind != "compound_statement"
    return f"{{ {statements} }}" if alone else statements


def _kept(node: Node, context: Context) -> list[str]:
    names = [variable.name for variable, nodes in context.ways_past.items() if node in nodes]
    return [f"cu::keep({n}, {n}_in, thread_position_in_grid.x, cu_size_of_{n});" for n in names]
