"""Parameters of type `T&&` and packs of references: what they get as a copy, which has no space to refer to."""

from typing import TYPE_CHECKING

from cu2mlx.transpiler.model.declarations import Function, Space, Variable
from cu2mlx.transpiler.model.expressions import called_name, cast_target
from cu2mlx.transpiler.model.pointees import PASSED_ON
from cu2mlx.transpiler.model.types import names_reference
from cu2mlx.transpiler.syntax import Node

if TYPE_CHECKING:
    from cu2mlx.transpiler.model.space_walk import Walk

_LITERALS = frozenset(
    {"number_literal", "char_literal", "true", "false", "null", "compound_literal_expression"}
)
_COMPUTED = frozenset({"binary_expression", "unary_expression", "sizeof_expression"})


def is_value(walk: "Walk", argument: Node) -> bool:
    """Whether an argument is a value made on the spot, or a lambda, of which a copy does the same."""
    kind = argument.kind
    variable = walk.typing.names.meaning.get(argument)
    made = variable.initialiser if variable is not None else argument
    if made is not None and made.kind == "lambda_expression":
        return "mutable" not in walk.typing.spelling(made).partition("{")[0]
    if kind == "parenthesized_expression":
        return is_value(walk, argument.named_children[-1])
    if kind == "conditional_expression":
        return any(is_value(walk, argument.need(part)) for part in ("consequence", "alternative"))
    if kind == "cast_expression":
        return not names_reference(argument.need("type"))
    if kind == "call_expression":
        return _is_value_of_call(walk, argument)
    called = walk.instance.calls.get(argument)  # an operator of the user's
    return kind in _LITERALS or (
        kind in _COMPUTED and (called is None or not called.function.result.is_reference)
    )


def _is_value_of_call(walk: "Walk", call: Node) -> bool:
    function = call.need("function")
    target, called = cast_target(walk.solver.text, function), walk.instance.calls.get(call)
    if target is not None:
        return not names_reference(target)
    if called is not None:
        return not called.function.result.is_reference
    arguments = call.need("arguments").named_children
    if called_name(walk.solver.text, function) in PASSED_ON and len(arguments) == 1:
        return is_value(walk, arguments[0])
    return walk.typing.type_of(call) is not None


def pack_space(walk: "Walk", callee: Function, pack: Variable, given: list[Node]) -> Space | None:
    """What all arguments of `T&&... rest` or `const T&... rest` refer to; None where they are handed over as values,
    as they are to a callee that only reads them."""
    if pack.type.const or _only_reads(walk, callee, pack, set()):
        return None
    if given and given[0].kind == "parameter_pack_expansion":
        return _expanded(walk, given[0])
    spaces = {None if is_value(walk, argument) else walk.lvalue(argument) for argument in given}
    if len(spaces) > 1:
        first, second = sorted(spaces, key=str)[:2]
        walk.conflict(given[0], pack.name, first or Space.THREAD, second or Space.THREAD)
    return next(iter(spaces), None)


def _expanded(walk: "Walk", expansion: Node) -> Space | None:
    """The space of a pack that is handed on."""
    for node in expansion.all("identifier"):
        variable = walk.typing.names.meaning.get(node)
        if variable is not None and variable.is_pack:
            return walk.instance.space_of.get(variable)
    return None


def _only_reads(walk: "Walk", function: Function, pack: Variable, seen: set[Function]) -> bool:
    """Whether a function's parameter pack is only read, or handed to functions of the file that only read it."""
    names = walk.solver.typing(function).names
    for node, variable in names.meaning.items():
        if variable is not pack or node.parent is None or node.parent.kind == "variadic_declarator":
            continue
        around = node.parent
        if around.kind in ("update_expression", "pointer_expression"):
            return False
        if around.kind == "assignment_expression" and node.field == "left":
            return False
        call = node.above("call_expression")
        if call is not None and not _hands_on_values(walk, call, seen | {function}):
            return False
    return True


def _hands_on_values(walk: "Walk", call: Node, seen: set[Function]) -> bool:
    name = called_name(walk.solver.text, call.need("function"))
    if name in PASSED_ON:
        outer = call.above("call_expression")
        return outer is None or _hands_on_values(walk, outer, seen)
    overloads = walk.solver.declared.functions.get(name)
    if overloads is None:
        return walk.solver.result_of(name) is not None
    return all(
        not parameter.type.is_reference
        or parameter.type.const
        or (parameter.type.is_forwarding and (each in seen or _only_reads(walk, each, parameter, seen)))
        for each in overloads
        for parameter in each.parameters
    )
