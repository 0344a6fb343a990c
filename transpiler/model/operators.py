"""The user's own operators: which of them an expression may call."""

from cu2mlx.transpiler.model.declarations import Function, Variable
from cu2mlx.transpiler.model.expressions import Typing
from cu2mlx.transpiler.model.types import Type
from cu2mlx.transpiler.syntax import Node


def operands(node: Node) -> list[Node]:
    """The operands of a binary, unary or assignment expression, in order."""
    found = (node.child("left"), node.child("right"), node.child("argument"))
    return [operand for operand in found if operand is not None]


def operator_functions(node: Node, typing: Typing) -> list[Function]:
    """Overloads at file scope that take a record and fit the operands as far as their types are known."""
    operator = node.child("operator")
    if operator is None:
        return []
    functions = typing.declared.functions
    spelled = operator.kind
    overloads = [*functions.get(f"operator{spelled}", ()), *functions.get(f"operator {spelled}", ())]
    if not overloads:
        return []
    types = [typing.type_of(operand) for operand in operands(node)]
    if all(t is not None and typing.declared.record(typing.alias(t)) is None for t in types):
        return []
    fitting = [f for f in overloads if _fits(f, types, typing)]
    others = [f for f in fitting if f is not typing.function]  # recursion only where nothing else is meant
    return others or fitting


def _fits(function: Function, types: list[Type | None], typing: Typing) -> bool:
    if len(function.parameters) != len(types):
        return False
    records = [_record(p, typing) for p in function.parameters]
    if not any(records):
        return False
    pairs = zip(records, types, strict=True)
    return all(given is None or wanted is None or _is(given, wanted, typing) for wanted, given in pairs)


def _record(parameter: Variable, typing: Typing) -> str | None:
    record = typing.declared.record(typing.alias(parameter.type.value))
    return record.name if record is not None and not parameter.type.has_pointer else None


def _is(given: Type, wanted: str, typing: Typing) -> bool:
    record = typing.declared.record(typing.alias(given.value))
    return record is not None and record.name == wanted and not given.shape
