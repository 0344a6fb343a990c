"""Identifiers: index built-ins, renamed variables, names that mean something else in Metal."""

import re

from cu2mlx.transpiler.model.declarations import Space, Variable
from cu2mlx.transpiler.model.template_parameters import template_names as names_in
from cu2mlx.transpiler.rules import inout
from cu2mlx.transpiler.rules.context import DROP, Context, Handed
from cu2mlx.transpiler.syntax import Node
from cu2mlx.transpiler.tables.constants import CONSTANTS
from cu2mlx.transpiler.tables.index import INDEX, Index
from cu2mlx.transpiler.tables.reserved import FUNCTIONS, KEYWORDS, TAKEN
from cu2mlx.transpiler.tables.types import TYPES


def attribute(context: Context, index: Index) -> str:
    """Use one of MSL's kernel attributes; helpers get it as a parameter."""
    if index.attribute and index.spelling not in context.printed.handed:
        context.hand_down(Handed(f"{index.type} {{}}", index.spelling))
    return index.spelling


def safe_name(name: str) -> str:
    """A user's function named like a keyword or a standard function of Metal gets an underscore behind it."""
    return f"{name}_" if name in TAKEN else name


def member_name(name: str) -> str:
    """A member hides functions of Metal's, but cannot be called like a keyword."""
    return f"{name}_" if name in KEYWORDS else name


def field_identifier(node: Node, context: Context) -> str | None:
    return member_name(context.source(node))


def using(node: Node, context: Context) -> str | None:
    """`using ns::f;` says nothing once namespaces are flattened; `using Base::f;` stays."""
    return None if "::" in "".join(context.render(child) for child in node.named_children) else DROP


def variable_name(variable: Variable, context: Context) -> str:
    """A variable may hide a function, never a keyword; a constant at file scope stands beside Metal's functions."""
    name = variable.name
    beside = variable.initialiser is not None and variable.is_global
    return context.renames.get(variable) or (safe_name(name) if beside else member_name(name))


_CALLED = re.compile(r"(?<![\w:.])\w+(?=\()")


def visible(spelling: str, context: Context) -> str:
    """Metal's functions by their full name where a variable hides them: `float floor = metal::floor(x)`."""
    hidden = {v.name for v in context.typing.names.variables} & FUNCTIONS
    return (
        _CALLED.sub(lambda m: f"metal::{m[0]}" if m[0] in hidden else m[0], spelling) if hidden else spelling
    )


def _reads_proxy(variable: Variable, node: Node, context: Context) -> bool:
    """Whether this reads a reference into a buffer that the kernel reads and writes."""
    if (
        not variable.type.is_reference
        or variable.type.has_pointer
        or context.space_of(variable) is not Space.INOUT
    ):
        return False
    declared = node.parent is not None and node.parent.kind.endswith("declarator") and node.field != "value"
    return not declared and not inout.is_written(node, context)


_NAMING = ("template_function", "qualified_identifier", "function_declarator")


def is_function_value(node: Node) -> bool:
    """Whether a function's name is kept or passed on here rather than called."""
    parent = node.parent
    if parent is None or parent.kind in _NAMING or parent.kind.startswith("preproc"):
        return False
    return parent.kind != "call_expression" or node.field != "function"


def _is_of_class(node: Node) -> bool:
    """Whether a name is that of a member of one instance of a class template."""
    scope = node.parent.child("scope") if node.parent is not None and node.field == "name" else None
    return scope is not None and scope.kind == "template_type"


def identifier(node: Node, context: Context) -> str | None:
    name = context.source(node)
    variable = context.typing.names.meaning.get(node)
    if variable is not None:
        if variable.is_global:
            return global_name(variable, node, context)
        name = variable_name(variable, context)
        return f"{name}.get()" if _reads_proxy(variable, node, context) else name
    index = INDEX.get(name)
    if index is not None:
        return attribute(context, index)
    if name in context.template_casts:
        return f"{context.template_casts[name]}({name})"
    if name in TYPES:  # sizeof(__half2): the grammar takes the type for a value
        return TYPES[name].metal
    if _is_of_class(node):  # `max` of `std::numeric_limits<float>::max()`
        return None
    if name in context.declared.functions or name in context.declared.records:
        if name not in context.declared.records and is_function_value(node):
            context.report("CU3711", node, name=name)
        return safe_name(name)
    if name in context.declared.aliases:  # a value made of a type: `complex_t(x, y)`
        return safe_name(name)
    if name in context.unit.macros:
        return name
    constant = CONSTANTS.get(name)
    return constant.spelling if constant is not None else None


def template_names(context: Context) -> set[str]:
    """Names of the template parameters in scope."""
    function = context.instance.function
    outer = function.record.template if function.record is not None else None
    return names_in(function.template, context.text) | names_in(outer, context.text)


DYNAMIC = "dynamic_shared"


def hand_down_shared(context: Context) -> None:
    """The kernel's dynamic threadgroup memory."""
    made = f"threadgroup uint4 {DYNAMIC}[({DYNAMIC}_bytes + 15) / 16];"  # aligned as CUDA aligns it
    context.hand_down(Handed("threadgroup uint4* {}", DYNAMIC, kernel=made))


def dynamic_shared(variable: Variable, base: str, context: Context) -> str:
    """The kernel's dynamic threadgroup memory, as what a variable declares it to be."""
    hand_down_shared(context)
    inner = "".join(f"[{d}]" for d in variable.type.dimensions[1:])
    pointer = f"threadgroup {base} (*){inner}" if inner else f"threadgroup {base}*"
    return f"(({pointer}){DYNAMIC})" if variable.type.is_array else f"(*({pointer}){DYNAMIC})"


def global_name(variable: Variable, node: Node, context: Context) -> str:
    """Constants with a value stay at program scope; the others are buffers, handed down from the kernel."""
    from cu2mlx.transpiler.rules.types import element_name

    name = variable_name(variable, context)
    if variable.dynamic:
        return dynamic_shared(variable, element_name(variable.type, node, context, memory=True), context)
    if variable.space is Space.THREADGROUP:
        context.report("CU3702", node, name=variable.name)
    space = context.spaces.global_space.get(variable)
    if space is None:
        return name
    context.printed.facts.add(f"global:{variable.name}")
    if variable.type.has_pointer or (space is Space.INOUT and len(variable.type.dimensions) > 1):
        context.report("CU3701", node, name=variable.name)
    base = element_name(variable.type, node, context, memory=True)
    inner = "".join(f"[{d}]" for d in variable.type.dimensions[1:])
    if space is Space.INOUT:
        context.hand_down(Handed(f"cu::inout_ptr<{base}> {{}}", name))
    elif inner:
        context.hand_down(Handed(f"{space} {base} (*{{}}){inner}", name))
    else:
        context.hand_down(Handed(f"{space} {base}* {{}}", name))
    if variable.type.is_array:
        return name
    return f"{name}[0]" if space is Space.INOUT else f"(*{name})"


RULES = {"identifier": identifier, "field_identifier": field_identifier, "using_declaration": using}
