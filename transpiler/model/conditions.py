"""Which branches of `#if` a compiler would see."""

from collections.abc import Mapping

from cu2mlx.transpiler.preprocess import evaluate_condition
from cu2mlx.transpiler.syntax import Node


def holds(node: Node, text: str, macros: Mapping[str, str]) -> bool | None:
    """Whether the condition of a preproc_if or preproc_ifdef holds; None where that cannot be told."""
    condition = node.child("condition") or node.child("name")
    if condition is None:
        return None
    source = text[condition.start : condition.end]
    if node.kind == "preproc_ifdef":
        word = "!defined" if node.children[0].kind == "#ifndef" else "defined"
        source = f"{word}({source})"
    return evaluate_condition(source, macros)
