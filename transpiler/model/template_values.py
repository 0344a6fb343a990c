"""What a call says of a helper's template parameters where the helper's own statements hang on it: which function one
stands for, which functor, which record with pointers. A helper has an instance of its own for each set of values."""

import re
from typing import TYPE_CHECKING

from cu2mlx.transpiler.model.declarations import Declarations, Function, Record
from cu2mlx.transpiler.model.expressions import Typing
from cu2mlx.transpiler.model.template_parameters import (
    DeclaredParameter,
    template_names,
    template_parameters,
)
from cu2mlx.transpiler.model.types import Type, canonical, template_arguments
from cu2mlx.transpiler.syntax import Node

if TYPE_CHECKING:
    from cu2mlx.transpiler.model.space_walk import Walk

Values = tuple[tuple[str, str], ...]  # template parameter → its value, in the helper's own terms


def given_values(walk: "Walk", callee: Function, call: Node, arguments: list[Node]) -> Values:
    """The values that one call gives. Functions for methods are left to Metal's compiler."""
    record = callee.record.template if callee.record is not None else None
    if call.kind != "call_expression" or (callee.template is None and record is None):
        return ()
    typing = walk.typing
    explicit = explicit_arguments(call.need("function"), typing) if callee.record is None else []
    parameters = template_parameters(callee.template, typing.text)
    if record is not None and record is not callee.template:
        parameters += template_parameters(record, typing.text)
    values: list[tuple[str, str]] = []
    for index, parameter in enumerate(parameters):
        given = explicit[index] if index < len(explicit) else None
        value = None
        if parameter.is_type:
            value = _record(parameter, given, callee, arguments, typing)
        elif given is not None and stands_for_function(parameter, typing.text, typing.declared):
            value = _function(parameter, given, typing)
        if value is not None:
            values.append((parameter.name, value))
    return tuple(values)


def stands_for_function(parameter: DeclaredParameter, text: str, declared: Declarations) -> bool:
    """Whether a template parameter's type is a function pointer: `float (*F)(float)`, or an alias of such a type."""
    specified = parameter.node.child("type")
    if parameter.is_type or specified is None:
        return False
    if next(parameter.node.all("function_declarator"), None) is not None:
        return True
    named = declared.type_names.get(text[specified.start : specified.end])
    return named is not None and next(named.all("function_declarator"), None) is not None


def argument_nodes(function: Node) -> list[Node]:
    """The template arguments that a call spells: of `ns::fold<T, add>(x)`, T and add."""
    while function.kind == "qualified_identifier":
        function = function.need("name")
    listed = function.need("arguments").named_children if function.kind == "template_function" else []
    return [node for node in listed if node.kind != "comment"]


def explicit_arguments(function: Node, typing: Typing) -> list[str]:
    """Their text; of a function that the caller itself was given, its name."""
    listed = [typing.spelling(node) for node in argument_nodes(function)]
    return [typing.functions.get(each, each) for each in listed]


def function_name(spelling: str) -> str:
    """`load` of `&tiles::load<4>`."""
    return spelling.partition("<")[0].strip(" &").rsplit("::", 1)[-1]


def as_called(spelling: str, declared: Declarations, text: str) -> str:
    """A function as its calls can spell it: without template arguments that they tell, which may be host code's."""
    name = function_name(spelling)
    overloads = declared.functions.get(name, [])
    for function in overloads:
        words = {word for each in function.parameters for word in re.findall(r"\w+", each.type.base)}
        if not template_names(function.template, text) <= words:
            return spelling
    return name if overloads else spelling


def _function(parameter: DeclaredParameter, given: str, typing: Typing) -> str | None:
    """A function by its name; its own template arguments are parameters of the helper: `load<F_1, F_2>`."""
    name = function_name(given)
    if name not in typing.declared.functions:
        return None
    count = len(template_arguments(given))
    own = ", ".join(f"{parameter.name}_{place}" for place in range(1, count + 1))
    return f"{name}<{own}>" if count else name


def _record(
    parameter: DeclaredParameter, given: str | None, callee: Function, arguments: list[Node], typing: Typing
) -> str | None:
    """A functor or a record with pointers, named or deduced from an argument by value or reference; without its
    template arguments where those are the caller's."""
    types = [typing.alias(Type(canonical(given)))] if given is not None else []
    for own, argument in zip(callee.parameters, arguments, strict=False):
        if not types and own.type.base == parameter.name and not own.type.has_pointer:
            found = typing.type_of(argument)
            types = [found] if found is not None and not found.shape else []
    record = typing.declared.record(types[0]) if types else None
    if record is None or not _matters(record):
        return None
    of_caller = template_names(typing.function.template, typing.text)
    return record.name if of_caller & set(re.findall(r"\w+", types[0].base)) else types[0].base


def _matters(record: Record) -> bool:
    has_pointers = any(field.type.has_pointer for field in record.fields.values())
    return has_pointers or any(method.name.replace(" ", "") == "operator()" for method in record.all_methods)
