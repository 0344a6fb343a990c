"""Launch arithmetic that the transpiler found in host code (Python text), as expressions of a spec file."""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cu2mlx.transpiler.binding.dtypes import ITEM_SIZE

_BINARY: Mapping[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.LShift: "<<",
    ast.RShift: ">>",
}
_COMPARE: Mapping[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
# Calls that read the same, and those of `math` that the spec's language has under its own name.
_CALLS = frozenset({"int", "float", "min", "max", "abs"})
_MATH = frozenset({"sqrt", "log2", "pow"})


class NoExpressionError(ValueError):
    """Host arithmetic that a spec file cannot say."""


@dataclass(frozen=True, slots=True)
class HostNames:
    """`parameters`: Python name → CUDA name; `shapes`: keyword of an output's shape → the output; `types`:
    type parameter → its dtype; `block`: what `block[i]` stands for."""

    parameters: Mapping[str, str]
    shapes: Mapping[str, str]
    types: Mapping[str, str]
    block: Sequence[str] = ()


def extents(text: str, names: HostNames) -> tuple[str, ...]:
    """A tuple's entries as expressions. Raises NoExpressionError."""
    node = ast.parse(text, mode="eval").body
    entries = node.elts if isinstance(node, ast.Tuple) else [node]
    return tuple(_text(each, names) for each in entries)


def expression(text: str, names: HostNames) -> str:
    """One number as an expression. Raises NoExpressionError."""
    return _text(ast.parse(text, mode="eval").body, names)


def _text(node: ast.expr, names: HostNames) -> str:
    match node:
        case ast.Constant(value=bool() as value):
            return str(int(value))
        case ast.Constant(value=int() | float() as value):
            return repr(value)
        case ast.Name(id=name) if name in names.parameters:
            return names.parameters[name]
        case ast.BinOp(left, operation, right) if type(operation) in _BINARY:
            return f"({_text(left, names)} {_BINARY[type(operation)]} {_text(right, names)})"
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"(-{_text(operand, names)})"
        case ast.Compare(left, [operator], [right]) if type(operator) in _COMPARE:
            return f"({_text(left, names)} {_COMPARE[type(operator)]} {_text(right, names)})"
        case ast.IfExp(test, then, other):
            return f"({_text(test, names)} ? {_text(then, names)} : {_text(other, names)})"
        case ast.Subscript(value=owner, slice=ast.Constant(value=int() as axis)):
            return _extent(owner, axis, names)
        case ast.Attribute(value=ast.Name(id=name), attr="size") if name in names.types:
            return str(ITEM_SIZE[names.types[name]])
        case ast.Attribute(value=ast.Name(id=name), attr="size") if name in names.parameters:
            return f"size({names.parameters[name]})"
        case ast.Call(func=ast.Name(id=function), args=arguments) if function in _CALLS:
            return f"{function}({', '.join(_text(each, names) for each in arguments)})"
        case ast.Call(func=ast.Attribute(value=ast.Name(id="math"), attr=function), args=arguments):
            return _math(function, arguments, names)
    raise NoExpressionError(ast.unparse(node))


def _extent(owner: ast.expr, axis: int, names: HostNames) -> str:
    match owner:
        case ast.Name(id="block") if axis < len(names.block):
            return names.block[axis]
        case ast.Name(id=name) if name in names.shapes:
            return f"dim({names.shapes[name]}, {axis})"
        case ast.Attribute(value=ast.Name(id=name), attr="shape") if name in names.parameters:
            return f"dim({names.parameters[name]}, {axis})"
    raise NoExpressionError(f"{ast.unparse(owner)}[{axis}]")


def _math(function: str, arguments: list[ast.expr], names: HostNames) -> str:
    if function == "prod" and isinstance(arguments[0], ast.Name) and arguments[0].id in names.shapes:
        return f"size({names.shapes[arguments[0].id]})"
    texts = [_text(each, names) for each in arguments]
    if function == "floor":
        return f"int({texts[0]} // 1)"
    if function == "ceil":
        return f"int(-((-{texts[0]}) // 1))"
    if function in _MATH:
        return f"{function}({', '.join(texts)})"
    raise NoExpressionError(f"math.{function}")
