"""C++ expressions of host code, parsed into Python's syntax tree with C's meaning kept in the names.

A host expression becomes an `ast.expr` whose names are C++ names, template arguments included
("std::min<int>"): casts are calls of "(int)" or "static_cast<int>", `sizeof(T)` a call of "sizeof" on the
type's text, `new T[n]` a call of "new T", brace lists and argument lists tuples, and `/` is ast.Div: what it
means depends on the operands' types, which is decided where names are resolved (resolve.py).
"""

import ast
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from cu2mlx import grammars

if TYPE_CHECKING:
    from lark import Token, Transformer

_OPERATORS: dict[str, type[ast.operator]] = {
    "+": ast.Add,
    "-": ast.Sub,
    "*": ast.Mult,
    "/": ast.Div,
    "%": ast.Mod,
    "<<": ast.LShift,
    ">>": ast.RShift,
    "&": ast.BitAnd,
    "|": ast.BitOr,
    "^": ast.BitXor,
}
_COMPARISONS: dict[str, type[ast.cmpop]] = {
    "==": ast.Eq,
    "!=": ast.NotEq,
    "<": ast.Lt,
    ">": ast.Gt,
    "<=": ast.LtE,
    ">=": ast.GtE,
}
_UNARY: dict[str, type[ast.unaryop]] = {"-": ast.USub, "+": ast.UAdd, "!": ast.Not, "~": ast.Invert}


class HostSyntaxError(ValueError):
    """A host expression outside the grammar (a lambda, an assignment …)."""


def name(text: str) -> ast.Name:
    return ast.Name(text, ast.Load())


def constant(value: int | float | str) -> ast.Constant:
    return ast.Constant(value)


def call(function: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(name(function), list(arguments), [])


def key(node: ast.expr) -> str:
    """Equal for expressions that are written alike."""
    return ast.dump(node)


@lru_cache(maxsize=1024)
def parse(text: str) -> ast.expr:
    """The tree of a host expression or argument list. Raises HostSyntaxError."""
    from lark.exceptions import UnexpectedInput

    try:
        tree = grammars.load("host").parse(text)
    except UnexpectedInput as error:
        raise HostSyntaxError(f"cannot read the host expression `{text}`") from error
    node: ast.expr = _transformer().transform(tree)
    return node


@cache
def _transformer() -> "Transformer[Token, ast.expr]":
    from lark import Transformer, v_args

    @v_args(inline=True)
    class ToPython(Transformer["Token", Any]):
        """One method per alias of host.lark."""

        def name(self, token: "Token") -> ast.expr:
            text = "".join(token.split()) if token.type == "NAME" else " ".join(token.split())
            text = text.removeprefix("::")
            return constant(int(text == "true")) if text in ("true", "false") else name(text)

        def integer(self, token: "Token") -> ast.expr:
            digits = token.rstrip("uUlLzZ").replace("'", "")
            is_octal = len(digits) > 1 and digits.isdigit() and digits[0] == "0"
            return constant(int(digits, 8 if is_octal else 0))

        def float(self, token: "Token") -> ast.expr:
            return constant(float(token.rstrip("fFlL")))

        def string(self, token: "Token") -> ast.expr:
            return constant(token[1:-1])

        def sizeof(self, token: "Token") -> ast.expr:
            return call("sizeof", constant(token[token.index("(") + 1 : -1].strip()))

        def new(self, token: "Token", length: ast.expr) -> ast.expr:
            return call(" ".join(token.split()), length)

        def cast(self, token: "Token", operand: ast.expr) -> ast.expr:
            return call(" ".join(token.split()), operand)

        def choice(self, test: ast.expr, then: ast.expr, other: ast.expr) -> ast.expr:
            return ast.IfExp(test, then, other)

        def any(self, left: ast.expr, right: ast.expr) -> ast.expr:
            return ast.BoolOp(ast.Or(), [left, right])

        def all(self, left: ast.expr, right: ast.expr) -> ast.expr:
            return ast.BoolOp(ast.And(), [left, right])

        def binary(self, left: ast.expr, operator: "Token", right: ast.expr) -> ast.expr:
            return ast.BinOp(left, _OPERATORS[str(operator)](), right)

        def xor(self, left: ast.expr, right: ast.expr) -> ast.expr:
            return ast.BinOp(left, ast.BitXor(), right)

        def compare(self, left: ast.expr, operator: "Token", right: ast.expr) -> ast.expr:
            return ast.Compare(left, [_COMPARISONS[str(operator)]()], [right])

        def unary(self, operator: "Token", operand: ast.expr) -> ast.expr:
            if operator in ("*", "&"):
                return call(str(operator), operand)
            return ast.UnaryOp(_UNARY[str(operator)](), operand)

        def member(self, owner: ast.expr, _: "Token", member: ast.expr) -> ast.expr:
            text = member.id if isinstance(member, ast.Name) else str(ast.literal_eval(member))
            return ast.Attribute(owner, text, ast.Load())

        def call(self, function: ast.expr, arguments: ast.Tuple | None = None) -> ast.expr:
            return ast.Call(function, list(arguments.elts) if arguments else [], [])

        def call_braces(self, function: ast.expr, arguments: ast.Tuple) -> ast.expr:
            return ast.Call(function, list(arguments.elts), [])

        def item(self, owner: ast.expr, index: ast.expr) -> ast.expr:
            return ast.Subscript(owner, index, ast.Load())

        def tuple(self, *items: ast.expr) -> ast.expr:
            return ast.Tuple(list(items), ast.Load())

        arguments = tuple

    return ToPython()
