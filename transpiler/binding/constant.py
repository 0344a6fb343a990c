"""The value of a host expression that may be constant."""

import ast
import operator
from collections.abc import Callable, Mapping

from cu2mlx.transpiler.binding.host import HostSyntaxError, parse
from cu2mlx.transpiler.binding.resolve import FOLDS

_OPERATIONS: Mapping[type[ast.AST], Callable[..., int]] = {
    **FOLDS,
    ast.Div: operator.floordiv,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.Gt: operator.gt,
    ast.LtE: operator.le,
    ast.GtE: operator.ge,
}
_CASTS = frozenset({"int", "(int)", "static_cast<int>", "size_t", "unsigned", "bool"})
_LIMIT = 32  # names that stand for each other


class _NotConstantError(ValueError):
    """The expression needs something that is not known here."""


def constant_value(text: str, known: Mapping[str, str | None]) -> int | None:
    """What an integer or bool expression is worth, given the initialisers of names; None where it hangs on others.
    Of a choice that hangs on others it is the first one."""
    try:
        return int(_value(parse(text), known, 0))
    except (HostSyntaxError, _NotConstantError, ArithmeticError):
        return None


def _value(node: ast.expr, known: Mapping[str, str | None], depth: int) -> int:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.Name(id=name):
            initialiser = known.get(name)
            if initialiser is None or depth == _LIMIT:
                raise _NotConstantError(name)
            return _value(parse(initialiser), known, depth + 1)
        case (
            ast.BinOp(left=left, op=operation, right=right)
            | ast.Compare(left=left, ops=[operation], comparators=[right])
        ):
            return _OPERATIONS[type(operation)](_value(left, known, depth), _value(right, known, depth))
        case ast.UnaryOp(op=sign, operand=operand):
            return _OPERATIONS[type(sign)](_value(operand, known, depth))
        case ast.BoolOp(op=joined, values=values):
            each = [_value(value, known, depth) for value in values]
            return int(all(each) if isinstance(joined, ast.And) else any(each))
        case ast.IfExp(test=test, body=then, orelse=other):
            return _value(then if _holds(test, known, depth) else other, known, depth)
        case ast.Call(func=ast.Name(id=cast), args=[operand]) if cast in _CASTS:
            return _value(operand, known, depth)
    raise _NotConstantError(ast.dump(node))


def _holds(test: ast.expr, known: Mapping[str, str | None], depth: int) -> bool:
    try:
        return bool(_value(test, known, depth))
    except _NotConstantError:
        return True
