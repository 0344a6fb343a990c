"""Finds explicit instantiations: `template __global__ void scale<float, 4>(const float*, int);`."""

from cu2mlx.transpiler.model.types import template_arguments
from cu2mlx.transpiler.syntax import Node

Arguments = tuple[str, ...]


def find_instantiations(root: Node, text: str) -> dict[str, list[Arguments]]:
    """The template arguments of each function that a file instantiates, as written there, in source order."""
    found: dict[str, list[Arguments]] = {}
    for node in root.all("template_instantiation"):
        called = next(node.all("template_function"), None)
        name = called.first("identifier") if called is not None else None
        if called is not None and name is not None:
            spelled = text[called.start : called.end]
            found.setdefault(text[name.start : name.end], []).append(tuple(template_arguments(spelled)))
    return found
