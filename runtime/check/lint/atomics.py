"""Memory orders: atomic functions know the relaxed one only, fences know more."""

from collections.abc import Iterator

from cu2mlx.runtime.check.lint.note import Note
from cu2mlx.runtime.check.outline import Outline
from cu2mlx.runtime.check.tokens import matching


def run(outline: Outline) -> Iterator[Note]:
    tokens = outline.tokens
    for index, token in enumerate(tokens[:-1]):
        if not (token.text.startswith("atomic_") and token.text.endswith("_explicit")):
            continue
        if tokens[index + 1].text != "(":
            continue
        for inner in tokens[index + 2 : matching(tokens, index + 1)]:
            if inner.text.startswith("memory_order_") and inner.text != "memory_order_relaxed":
                message = f"'{token.text}' takes memory_order_relaxed only"
                yield Note(
                    inner.start, "memory-order", message, "add an atomic_thread_fence where order matters"
                )
