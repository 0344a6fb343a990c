"""dim3, whose constructor fills what is not given with 1 where Metal's uint3 repeats or forgets it."""

from cu2mlx.transpiler.model.types import canonical
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.syntax import Node
from cu2mlx.transpiler.tables.types import TYPES


def is_dim3(node: Node, context: Context) -> bool:
    return canonical(context.source(node)) == "dim3"


def constructed(arguments: Node, context: Context) -> str:
    """`(8, 4)` or `{8, 4}` as a uint3."""
    given = arguments.named_children
    texts = [context.render(a) for a in given]
    if len(given) == 1 and _is_vector(given[0], context):
        return texts[0]
    return f"uint3({', '.join([*texts, '1', '1', '1'][: max(3, len(texts))])})"


def _is_vector(node: Node, context: Context) -> bool:
    type_ = context.typing.type_of(node)
    return type_ is not None and type_.base in TYPES and TYPES[type_.base].lanes > 1


def declaration(node: Node, context: Context) -> str:
    """`dim3 a, b(8, 4), c{8}, d = e;`"""
    declared: list[str] = []
    for declarator in node.fields("declarator"):
        value = declarator.child("value")
        if declarator.kind == "identifier":
            declared.append(f"{context.render(declarator)} = uint3(1)")
        elif value is not None and value.kind in ("argument_list", "initializer_list"):
            declared.append(
                f"{context.render(declarator.need('declarator'))} = {constructed(value, context)}"
            )
        else:
            declared.append(context.render(declarator))
    head = context.text[node.start : node.need("type").start]
    return f"{head}uint3 {', '.join(declared)};"
