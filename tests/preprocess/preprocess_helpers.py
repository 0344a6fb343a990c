"""Short ways to preprocess and parse a text."""

from collections.abc import Iterator, Mapping

from cu2mlx.transpiler.preprocess import Unit, preprocess
from cu2mlx.transpiler.source import SourceFile
from cu2mlx.transpiler.syntax import Node, parse


def unit(text: str, defines: Mapping[str, str] | None = None) -> Unit:
    return preprocess(SourceFile("test.cu", text), defines=defines)


def errors(node: Node) -> Iterator[str]:
    """The text kinds of every error in a tree: wrong tokens, and tokens the parser made up."""
    for inner in node.walk():
        if inner.kind == "ERROR" or (
            not inner.children and inner.start == inner.end and inner.kind != "translation_unit"
        ):
            yield f"{inner.kind} at {inner.start}"


def faults(found: Unit) -> list[str]:
    """The syntax errors of a unit's parse text."""
    return list(errors(parse(found.parse_text)))


def codes(found: Unit) -> list[str]:
    return [diagnostic.code.code for diagnostic in found.diagnostics]
