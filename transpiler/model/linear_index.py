"""Recognises `blockIdx.x * blockDim.x + threadIdx.x`: the index that belongs to one thread alone."""

import re
from collections.abc import Iterable, Mapping

from cu2mlx.transpiler.model.declarations import Variable
from cu2mlx.transpiler.model.expressions import Typing
from cu2mlx.transpiler.syntax import Node

_PRODUCTS = {"blockIdx.x*blockDim.x", "blockDim.x*blockIdx.x"}
_LINEAR = {f"{p}+threadIdx.x" for p in _PRODUCTS} | {f"threadIdx.x+{p}" for p in _PRODUCTS}
_STRIDES = {"blockDim.x*gridDim.x", "gridDim.x*blockDim.x"}
_OTHER_AXES = re.compile(
    r"\b(?:threadIdx|blockIdx)\b(?!\s*\.\s*x\b)|\b(?:thread|block)_index\s*\(\s*\)(?!\s*\.\s*x\b)"
)
_NOISE = re.compile(r"\s+|\(\s*(?:int|unsigned|unsigned int|long|long long|size_t|int64_t|uint32_t)\s*\)")


def is_linear_index(node: Node, typing: Typing) -> bool:
    """Whether an index is the thread's global linear index, or that plus whole grid strides.

    Holds for a local that starts as the linear index and is otherwise only advanced by the grid's size.
    """
    if node.kind == "parenthesized_expression":
        return is_linear_index(node.named_children[0], typing)
    if node.kind != "identifier":
        return _plain(node, typing) in _LINEAR
    variable = typing.names.meaning.get(node)
    if variable is None or variable.is_parameter or variable.is_global or variable.type.shape:
        return False
    start = variable.initialiser
    if start is None or not (_plain(start, typing) in _LINEAR or is_linear_index(start, typing)):
        return False
    return all(_is_grid_stride(use, typing) for use in changes(variable, typing))


def is_own_element(node: Node, typing: Typing) -> bool:
    """Whether `p[i]` is an element that belongs to one thread alone."""
    if node.kind != "subscript_expression" or not _is_parameter(node.need("argument"), typing):
        return False
    element = typing.type_of(node)
    if element is not None and element.is_array:  # a row, whose elements others of MLX's threads would copy
        return False
    indices = node.need("indices").named_children
    return len(indices) == 1 and is_linear_index(indices[0], typing)


def _is_parameter(pointer: Node, typing: Typing) -> bool:
    """Whether a pointer is a parameter that nothing moves, or another name for one."""
    variable = typing.names.meaning.get(pointer)
    if variable is None or changes(variable, typing):
        return False
    start = variable.initialiser
    return variable.is_parameter or (start is not None and _is_parameter(start, typing))


def has_one_axis(texts: Iterable[str], macros: Mapping[str, str]) -> bool:
    """Whether functions tell threads apart by x alone: else several threads share a linear index."""
    other = [name for name, body in macros.items() if _OTHER_AXES.search(body)]
    pattern = re.compile("|".join([_OTHER_AXES.pattern, *(rf"\b{re.escape(name)}\b" for name in other)]))
    return not any(pattern.search(text) for text in texts)


def _plain(node: Node, typing: Typing) -> str:
    text = _NOISE.sub("", typing.spelling(node))
    while text.startswith("(") and text.endswith(")") and _balanced(text[1:-1]):
        text = text[1:-1]
    return re.sub(r"\(((?:blockIdx|blockDim|gridDim)\.x\*(?:blockIdx|blockDim|gridDim)\.x)\)", r"\1", text)


def _balanced(text: str) -> bool:
    depth = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return False
    return depth == 0


def changes(variable: Variable, typing: Typing) -> list[Node]:
    """The expressions that change a variable."""
    return typing.names.changes.get(variable, [])


def _is_grid_stride(change: Node, typing: Typing) -> bool:
    if change.kind != "assignment_expression" or change.need("operator").kind != "+=":
        return False
    right = change.need("right")
    if _plain(right, typing) in _STRIDES:
        return True
    variable = typing.names.meaning.get(right)
    start = variable.initialiser if variable is not None else None
    return (
        variable is not None
        and start is not None
        and _plain(start, typing) in _STRIDES
        and not changes(variable, typing)
    )
