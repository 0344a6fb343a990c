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
    """Overloads at file scope that take a record which an operand is known to be, and fit the others' known types."""
    spelled = _sign(node, typing)
    if spelled is None:
        return []
    functions = typing.declared.functions
    overloads = [*functions.get(f"operator{spelled}", ()), *functions.get(f"operator {spelled}", ())]
    if not overloads:
        return []
    types = [_type(operand, typing) for operand in operands(node)]
    if all(t is not None and typing.declared.record(typing.alias(t)) is None for t in types):
        return []
    fitting = [f for f in overloads if _fits(f, types, typing)]
    others = [f for f in fitting if f is not typing.function]  # recursion only where nothing else is meant
    return others or fitting


def _sign(node: Node, typing: Typing) -> str | None:
    """The sign of an expression where some operator of the user's has it: in most files none does."""
    signs = typing.declared.signs
    operator = node.child("operator") if signs else None
    return operator.kind if operator is not None and operator.kind in signs else None


def member_operators(node: Node, typing: Typing) -> list[Function]:
    """Those of the left operand's record."""
    spelled = _sign(node, typing)
    if spelled is None:
        return []
    names = (f"operator{spelled}", f"operator {spelled}")
    given = operands(node)
    methods = _methods(given[0], typing) if given else []
    return [m for m in methods if m.name in names and len(m.parameters) == len(given) - 1]


def subscript_operators(whole: Node, typing: Typing) -> list[Function]:
    """The record's own operator[]s where an object of it is subscripted."""
    methods = _methods(whole, typing) if "[]" in typing.declared.signs else []
    return [m for m in methods if m.name.replace(" ", "") == "operator[]"]


def _methods(whole: Node, typing: Typing) -> list[Function]:
    type_ = typing.type_of(whole)
    record = typing.declared.record(typing.alias(type_)) if type_ is not None and not type_.shape else None
    return record.all_methods if record is not None else []


def _type(node: Node, typing: Typing) -> Type | None:
    """An operand's type; of an operator of the user's what all its overloads give, `u * 2.0f` of `u * 2.0f - v`."""
    found = typing.type_of(node)
    while node.kind == "parenthesized_expression":
        node = node.named_children[0]
    if found is not None or node.kind not in ("binary_expression", "unary_expression"):
        return found
    results = {function.result.value for function in operator_functions(node, typing)}
    return results.pop() if len(results) == 1 else None


def _fits(function: Function, types: list[Type | None], typing: Typing) -> bool:
    if len(function.parameters) != len(types):
        return False
    records = [_record(p, typing) for p in function.parameters]
    pairs = [(wanted, given) for wanted, given in zip(records, types, strict=True) if wanted is not None]
    known = [_is(given, wanted, typing) for wanted, given in pairs if given is not None]
    return bool(known) and all(known)


def _record(parameter: Variable, typing: Typing) -> str | None:
    record = typing.declared.record(typing.alias(parameter.type.value))
    return record.name if record is not None and not parameter.type.has_pointer else None


def _is(given: Type, wanted: str, typing: Typing) -> bool:
    record = typing.declared.record(typing.alias(given.value))
    return record is not None and record.name == wanted and not given.shape
