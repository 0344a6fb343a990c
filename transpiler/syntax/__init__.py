"""The syntax tree. This room is the only user of tree-sitter."""

from functools import cache

import tree_sitter
import tree_sitter_cuda

from cu2mlx.transpiler.syntax.node import Node

__all__ = ["Node", "parse"]


@cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_cuda.language()))


def parse(ascii_text: str) -> Node:
    """The tree of a unit's parse text, which is ASCII so that bytes and characters have the same offsets."""
    return Node(_parser().parse(ascii_text.encode("ascii")).root_node, None, None)
