"""Objects of CUB's classes: the support library's constructors take the thread's rank beside the storage."""

import re

from cu2mlx.transpiler.model.types import Type, canonical
from cu2mlx.transpiler.rules import shared_memory
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.rules.cub_names import class_of, is_opened
from cu2mlx.transpiler.rules.names import attribute, template_names, variable_name
from cu2mlx.transpiler.rules.types import declared_variables
from cu2mlx.transpiler.syntax import Node
from cu2mlx.transpiler.tables import lookup
from cu2mlx.transpiler.tables.index import HANDED


def made(node: Node, context: Context) -> str | None:
    """`BlockReduce(storage)`, or an operator: `cub::Max()`."""
    function, arguments = node.need("function"), node.need("arguments")
    if function.kind == "field_expression" or lookup(context.source(function)):  # a function of CUB's
        return None
    type_ = context.typing.alias(Type(canonical(context.source(function))))
    opened = is_opened(type_.base.split("<")[0], context)
    name = f"{'cu::' if opened else ''}{context.render(function)}"
    if class_of(type_, context) is not None or _has_storage(type_.base, context):
        return f"{name}({_given(arguments, name, context)})"
    return f"{name}{context.render(arguments)}" if opened or type_.base.startswith("cub::") else None


def _has_storage(name: str, context: Context) -> bool:
    """Whether a template parameter stands for one of CUB's classes: its TempStorage is asked for."""
    if name not in template_names(context):
        return False
    node = context.instance.function.node
    return re.search(rf"\b{name}\s*::\s*TempStorage\b", context.text[node.start : node.end]) is not None


def braced(node: Node, context: Context) -> str | None:
    """`BlockReduce{storage}`"""
    if class_of(context.typing.type_of(node), context) is None:
        return None
    name = context.render(node.need("type"))
    return f"{name}({_given(node.need('value'), name, context)})"


def objects(node: Node, context: Context) -> str | None:
    """`BlockReduce reduce(storage);`, which the grammar takes for the declaration of a function."""
    variables, declarators = declared_variables(node, context), node.fields("declarator")
    if not variables or class_of(context.typing.alias(variables[0].type), context) is None:
        return None
    class_name = context.render(node.need("type"))
    parts: list[str] = []
    for variable, declarator in zip(variables, declarators, strict=True):
        given = declarator.child("parameters") or declarator.child("value")
        kind = given.kind if given is not None else declarator.kind
        if kind not in ("parameter_list", "argument_list", "initializer_list", "identifier"):
            return None
        parts.append(f"{variable_name(variable, context)}({_given(given, class_name, context)})")
    return f"{class_name} {', '.join(parts)};"


def _given(arguments: Node | None, class_name: str, context: Context) -> str:
    """The storage, and the rank. An object made without storage has one of its class's own."""
    given = [_argument(each, context) for each in arguments.named_children] if arguments is not None else []
    if not given:
        given = [shared_memory.own_storage(f"typename {class_name}::TempStorage", context)]
    return ", ".join([*given, attribute(context, HANDED["index"])])


def _argument(argument: Node, context: Context) -> str:
    """An argument, also one that the grammar takes for a parameter: `temp[warp]` as an array of type temp."""
    if argument.kind != "parameter_declaration":
        return context.render(argument)
    named, extents = context.source(argument.need("type")), argument.child("declarator")
    variable = next((v for v in reversed(context.typing.names.variables) if v.name == named), None)
    name = variable_name(variable, context) if variable is not None else named
    return f"{name}{context.render(extents)}" if extents is not None else name


def is_method(type_: Type, node: Node, context: Context) -> bool:
    """The support library's methods are called as CUB's are; C++ picks the overload."""
    class_name, name = class_of(type_, context), context.source(node.need("function").need("field"))
    if class_name is not None and not lookup(f"cub::{class_name}::{name.split('<')[0]}"):
        context.report("CU3712", node, name=f"cub::{class_name}::{name}")
    return class_name is not None
