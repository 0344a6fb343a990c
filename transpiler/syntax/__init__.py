"""The syntax tree. This room is the only user of tree-sitter."""

from collections.abc import Iterator
from functools import cache

import tree_sitter
import tree_sitter_cuda

from cu2mlx.transpiler.syntax.node import Kinds, Node, Tree

__all__ = ["Node", "parse"]

_ERROR = 0xFFFF  # the kind of what could not be read
_TYPED = frozenset({"primitive_type", "sized_type_specifier", "struct_specifier", "type_qualifier"})


@cache
def _language() -> tree_sitter.Language:
    return tree_sitter.Language(tree_sitter_cuda.language())


@cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(_language())


@cache
def _kinds() -> Kinds:
    language = _language()
    numbers = (*range(language.node_kind_count), _ERROR)
    return {n: (language.node_kind_for_id(n) or "", language.node_kind_is_named(n)) for n in numbers}


def parse(ascii_text: str) -> Node:
    """The tree of a unit's parse text, which is ASCII so that bytes and characters have the same offsets.

    `View v(data, width);` in device code is an object, not the function that the grammar takes it for: it is read as
    `View v{data, width};`.
    """
    text = bytearray(ascii_text, "ascii")
    root = _read(text)
    made = list(_constructions(root))
    for given in made:
        text[given.start], text[given.end - 1] = b"{}"
    return _read(text) if made else root


def _read(text: bytearray) -> Node:
    return Tree().root(_parser().parse(bytes(text)).root_node, _kinds())


def _constructions(root: Node) -> Iterator[Node]:
    """Argument lists of local objects that look like functions' parameter lists."""
    for listed in root.all("parameter_list"):
        given = listed.named_children
        if (
            given
            and _is_local(listed)
            and not any(part.kind in _TYPED for each in given for part in each.children)
            and _on_device(listed)
        ):
            yield listed


def _is_local(listed: Node) -> bool:
    """Whether a parameter list is that of a declaration inside a function."""
    kinds = ["function_declarator", "declaration", "compound_statement"]
    around = listed.parent
    while around is not None and kinds and around.kind == kinds[0]:
        around, kinds = around.parent, kinds[1:]
    return not kinds


def _on_device(node: Node) -> bool:
    function = node.above("function_definition")
    return function is not None and any(c.kind in ("__device__", "__global__") for c in function.children)
