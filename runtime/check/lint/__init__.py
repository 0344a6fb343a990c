"""What clang does not know about Metal: rules over the outline of the text."""

from collections.abc import Iterator

from cu2mlx.runtime.check.lint import atomics, attributes, kernels, spaces, words
from cu2mlx.runtime.check.lint.note import Note
from cu2mlx.runtime.check.outline import Outline

__all__ = ["Note", "run"]


def run(outline: Outline) -> Iterator[Note]:
    yield from words.run(outline)
    yield from attributes.run(outline)
    yield from kernels.run(outline)
    yield from spaces.run(outline)
    yield from atomics.run(outline)
