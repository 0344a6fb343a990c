"""The expression language of spec files: launch and shape arithmetic over named sizes."""

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cu2mlx import grammars

if TYPE_CHECKING:
    from lark import Token, Tree

Number = int | float


class ExpressionError(Exception):
    """An expression that cannot be read, or has no value for the sizes at hand."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed expression; `text` is what its author wrote."""

    text: str
    tree: "Tree[Token] | Token" = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Names:
    """What an expression may refer to: numbers, and buffers for `size(x)` and `dim(x, axis)`."""

    numbers: Mapping[str, Number]
    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


def parse(text: str) -> Expression:
    from lark.exceptions import UnexpectedInput

    try:
        return Expression(text, grammars.load("expression").parse(text))
    except UnexpectedInput as error:
        pointer = error.get_context(text).rstrip() if text.strip() else "(it is empty)"
        raise ExpressionError(f"cannot read the expression {text!r}:\n{pointer}") from None


def evaluate(expression: Expression, names: Names) -> Number:
    """The value; integers stay integers, comparisons give 0 or 1."""
    try:
        return _value(expression.tree, names)
    except ExpressionError as error:
        raise ExpressionError(f"in {expression.text!r}: {error}") from None
    except ZeroDivisionError:
        raise ExpressionError(f"in {expression.text!r}: division by zero") from None


def evaluate_int(expression: Expression, names: Names) -> int:
    value = evaluate(expression, names)
    if isinstance(value, float):
        raise ExpressionError(
            f"{expression.text!r} is {value}, but a whole number is needed; use // or int(…)"
        )
    return value


def c_divide(left: Number, right: Number) -> Number:
    """C's `/`: integers truncate towards zero."""
    if isinstance(left, int) and isinstance(right, int):
        quotient = abs(left) // abs(right)
        return quotient if (left < 0) == (right < 0) else -quotient
    return left / right


def c_remainder(left: Number, right: Number) -> Number:
    """C's `%` and fmod: the sign of the dividend."""
    if isinstance(left, int) and isinstance(right, int):
        return left - right * int(c_divide(left, right))
    return math.fmod(left, right)


def ceildiv(left: Number, right: Number) -> Number:
    return -(-left // right)


BINARY: Mapping[str, Callable[[Number, Number], Number]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": c_divide,
    "//": operator.floordiv,
    "%": c_remainder,
}

SHIFT: Mapping[str, Callable[[int, int], int]] = {"<<": operator.lshift, ">>": operator.rshift}

COMPARE: Mapping[str, Callable[[Number, Number], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}

# name → (least arguments, most arguments, function)
FUNCTIONS: Mapping[str, tuple[int, int, Callable[..., Number]]] = {
    "min": (2, 8, min),
    "max": (2, 8, max),
    "ceildiv": (2, 2, ceildiv),
    "abs": (1, 1, abs),
    "int": (1, 1, int),
    "float": (1, 1, float),
    "sqrt": (1, 1, math.sqrt),
    "exp": (1, 1, math.exp),
    "log": (1, 1, math.log),
    "log2": (1, 1, math.log2),
    "pow": (2, 2, pow),
}


def _value(node: "Tree[Token] | Token", names: Names) -> Number:
    from lark import Token

    if isinstance(node, Token):  # the grammar wraps every token
        raise AssertionError(f"bare token {node!r}")
    children = node.children
    match node.data:
        case "int":
            return int(str(children[0]), 0) if str(children[0])[:2] in ("0x", "0X") else int(str(children[0]))
        case "float":
            return float(str(children[0]))
        case "name":
            return _named(str(children[0]), names)
        case "call":
            return _call(str(children[0]), children[1:], names)
        case "negate":
            return -_value(children[0], names)
        case "invert":
            return int(not _value(children[0], names))
        case "choose":
            return _value(children[1 if _value(children[0], names) else 2], names)
        case "either":
            return int(bool(_value(children[0], names)) or bool(_value(children[1], names)))
        case "both":
            return int(bool(_value(children[0], names)) and bool(_value(children[1], names)))
    sign = str(children[1])
    left, right = _value(children[0], names), _value(children[2], names)
    if sign in COMPARE:
        return int(COMPARE[sign](left, right))
    if sign in BINARY:
        return BINARY[sign](left, right)
    if isinstance(left, float) or isinstance(right, float) or right < 0:
        raise ExpressionError(f"cannot shift {left} by {right}")
    return SHIFT[sign](left, right)


def _named(name: str, names: Names) -> Number:
    if name in names.numbers:
        return names.numbers[name]
    if name in names.shapes:
        raise ExpressionError(f"`{name}` is a buffer; say size({name}) or dim({name}, 0)")
    known = ", ".join(sorted(names.numbers)) or "none"
    raise ExpressionError(f"unknown name `{name}`; known here: {known}")


def _call(function: str, arguments: "list[Tree[Token] | Token]", names: Names) -> Number:
    if function in ("size", "dim"):
        return _extent(function, arguments, names)
    if function not in FUNCTIONS:
        known = ", ".join(sorted([*FUNCTIONS, "size", "dim"]))
        raise ExpressionError(f"unknown function `{function}`; known: {known}")
    least, most, call = FUNCTIONS[function]
    if not least <= len(arguments) <= most:
        raise ExpressionError(f"`{function}` takes {least} to {most} arguments, not {len(arguments)}")
    try:
        return call(*(_value(argument, names) for argument in arguments))
    except ValueError as error:  # sqrt(-1), log(0)
        raise ExpressionError(f"{function}: {error}") from None


def _extent(function: str, arguments: "list[Tree[Token] | Token]", names: Names) -> int:
    from lark import Tree

    buffer = arguments[0] if arguments else None
    if (
        not isinstance(buffer, Tree)
        or buffer.data != "name"
        or len(arguments) != (1 if function == "size" else 2)
    ):
        raise ExpressionError("say size(buffer) for the number of elements, dim(buffer, axis) for one extent")
    name = str(buffer.children[0])
    if name not in names.shapes:
        raise ExpressionError(f"`{name}` is no buffer declared before this place")
    shape = names.shapes[name]
    if function == "size":
        return math.prod(shape)
    axis = _value(arguments[1], names)
    if isinstance(axis, float) or not -len(shape) <= axis < len(shape):
        raise ExpressionError(f"`{name}` has {len(shape)} axes, none numbered {axis}")
    return shape[axis]
