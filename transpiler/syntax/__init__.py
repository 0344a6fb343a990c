"""The syntax tree. This room is the only user of tree-sitter."""

from collections.abc import Iterator
from functools import cache

import tree_sitter
import tree_sitter_cuda

from cu2mlx.transpiler.syntax.node import Node

__all__ = ["Node", "parse"]

_LOCAL_FUNCTION = """
(compound_statement (declaration declarator: (function_declarator parameters: (parameter_list) @list)))
"""
_TYPED = frozenset({"primitive_type", "sized_type_specifier", "struct_specifier", "type_qualifier"})


@cache
def _language() -> tree_sitter.Language:
    return tree_sitter.Language(tree_sitter_cuda.language())


@cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(_language())


@cache
def _local_functions() -> tree_sitter.Query:
    return tree_sitter.Query(_language(), _LOCAL_FUNCTION)


def parse(ascii_text: str) -> Node:
    """The tree of a unit's parse text, which is ASCII so that bytes and characters have the same offsets.

    `View v(data, width);` in device code is an object, not the function that the grammar takes it for: it is read as
    `View v{data, width};`.
    """
    text = bytearray(ascii_text, "ascii")
    root = _parser().parse(bytes(text)).root_node
    made = list(_constructions(root))
    for given in made:
        text[given.start_byte], text[given.end_byte - 1] = b"{}"
    return Node(_parser().parse(bytes(text)).root_node if made else root, None, None)


def _constructions(root: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """Argument lists of local objects that look like functions' parameter lists."""
    for listed in tree_sitter.QueryCursor(_local_functions()).captures(root).get("list", ()):
        given = listed.named_children
        if (
            given
            and not any(part.type in _TYPED for each in given for part in each.children)
            and _on_device(listed)
        ):
            yield listed


def _on_device(node: tree_sitter.Node) -> bool:
    function = node.parent
    while function is not None and function.type != "function_definition":
        function = function.parent
    return function is not None and any(c.type in ("__device__", "__global__") for c in function.children)
