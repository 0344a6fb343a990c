"""Which branches of `#if` a compiler would see."""

from collections.abc import Iterator, Mapping

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


def is_seen(node: Node, text: str, macros: Mapping[str, str]) -> bool:
    """Whether no `#if` around a node hides it from compilers."""
    part, around = node, node.parent
    while around is not None:
        if around.kind in ("preproc_if", "preproc_ifdef", "preproc_elif"):
            active = holds(around, text, macros)
            if active is not None and active is (part is around.child("alternative")):
                return False
        part, around = around, around.parent
    return True


def unseen(node: Node, text: str, macros: Mapping[str, str]) -> Iterator[Node]:
    """The parts of a file, outside its declarations, that no compiler sees."""
    for child in node.children:
        if child.kind not in ("preproc_if", "preproc_ifdef"):
            continue
        active, alternative = holds(child, text, macros), child.child("alternative")
        for part in child.children:
            if active is not None and active is (part is alternative):
                yield part
        yield from unseen(child, text, macros)
        if alternative is not None:
            yield from unseen(alternative, text, macros)
