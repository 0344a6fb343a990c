"""Calls: of the user's own functions, of CUDA's, and casts, which look like calls."""

import re

from cu2mlx.transpiler import prelude
from cu2mlx.transpiler.model.constant_context import is_folded
from cu2mlx.transpiler.model.declarations import Space
from cu2mlx.transpiler.model.expressions import called_name, cast_target
from cu2mlx.transpiler.model.instances import Instance
from cu2mlx.transpiler.model.overloads import converts
from cu2mlx.transpiler.model.types import Type, canonical
from cu2mlx.transpiler.rules import (
    arithmetic,
    bindings,
    casts,
    cub,
    dimensions,
    shared_memory,
    shuffles,
    statements,
)
from cu2mlx.transpiler.rules.arithmetic import Special
from cu2mlx.transpiler.rules.context import Context, Handed
from cu2mlx.transpiler.rules.function_values import called_for_functions
from cu2mlx.transpiler.rules.names import attribute, member_name, safe_name, template_names, visible
from cu2mlx.transpiler.rules.shared_objects import shared_object
from cu2mlx.transpiler.rules.types import type_name
from cu2mlx.transpiler.syntax import Node
from cu2mlx.transpiler.tables import lookup
from cu2mlx.transpiler.tables.index import HANDED
from cu2mlx.transpiler.tables.overload import converted, select, takes
from cu2mlx.transpiler.tables.row import Builtin
from cu2mlx.transpiler.tables.spell import placeholders, spell
from cu2mlx.transpiler.tables.types import TYPES


def call(node: Node, context: Context) -> str | None:
    function = node.need("function")
    arguments = node.child("arguments")
    if arguments is None or arguments.kind != "argument_list":
        return None
    if node.first("kernel_call_syntax") is not None:
        context.report("CU3204", node, name=context.source(function))
        return None
    if cast_target(context.text, function) is not None:
        return casts.named(node, function, arguments, context)
    if (shared := shared_object(node, context)) is not None:
        return shared
    called = context.instance.calls.get(node)
    if called is not None:
        return _own(node, function, arguments, context)
    collective = cub.made(node, context)
    if collective is not None:
        return collective
    name = called_name(context.text, function)
    if function.kind == "field_expression":
        return _method(node, function, arguments, context)
    if not name:
        return None
    variable = context.typing.names.meaning.get(function)
    if variable is not None:  # a local lambda, functor or function pointer
        return None
    scope = _scope(function, context)
    if scope not in _GLOBAL_SCOPES and not lookup(f"{scope}::{name}"):
        if not _is_known(name, function, context) and not _is_known(scope.split("<")[0], function, context):
            context.report("CU2001", node, name=context.source(function))
        return None
    special = SPECIAL.get(name)
    if special is not None:
        text = special(name, node, arguments, context)
        if text is not None:
            return text
    rows = lookup(f"{scope}::{name}" if scope else name)
    if not rows and name not in context.declared.records:  # `using namespace cooperative_groups`
        rows = lookup(f"cg::{name}")
    if any(takes(row, len(arguments.named_children)) for row in rows):
        return _builtin(rows, node, arguments, context)
    if dimensions.is_dim3(function, context):
        return dimensions.constructed(arguments, context)
    if canonical(context.source(function)) in TYPES:
        return None
    if function.kind == "primitive_type" or _is_known(name, function, context):
        return None
    context.report("CU2001", node, name=context.source(function))
    return None


def _method(node: Node, function: Node, arguments: Node, context: Context) -> str | None:
    """A method of one of CUDA's own classes (cooperative groups, CUB); others are called as written."""
    type_ = context.typing.type_of(function.need("argument"))
    if type_ is None:
        return None
    name = context.source(function.need("field")).split("<")[0]
    group = type_.base.split("<")[0].removeprefix("cg::").removeprefix("cooperative_groups::")
    rows = lookup(f"{group}::{name}")
    if cub.is_method(type_, node, context) or not rows:
        return None
    return _builtin(rows, node, arguments, context)


_GLOBAL_SCOPES = frozenset({"", "std", "cuda::std", "::std", "thrust"})


def _scope(function: Node, context: Context) -> str:
    """`std` of std::max, `numeric_limits<T>` of std::numeric_limits<T>::max; empty without one."""
    parts: list[str] = []
    while function.kind == "qualified_identifier":
        scope = function.child("scope")
        parts.append(context.source(scope) if scope is not None else "")
        function = function.need("name")
    joined = "::".join(p for p in parts if p)
    return _NAMESPACES.get(joined, joined)


_NAMESPACES = {"cooperative_groups": "cg", "nvcuda::wmma": "wmma"}


def _is_known(name: str, function: Node, context: Context) -> bool:
    declared = context.declared
    if name in declared.type_names or name in context.unit.macros or name in _STANDARD:
        return True
    if name in context.typing.names.local_aliases or name.split("::")[-1] in _STANDARD:
        return True
    in_scope = template_names(context)
    roots = {part.split("<")[0] for part in context.source(function).split("::")}
    if name in in_scope or roots & in_scope or roots & declared.records.keys():
        return True
    record = context.instance.function.record
    return (record is not None and any(m.name == name for m in record.methods)) or "operator" in name


_STANDARD = frozenset(
    {"numeric_limits", "conditional", "conditional_t", "is_same", "enable_if", "declval", "move"}
)


def rendered_arguments(arguments: Node, context: Context) -> list[str]:
    return [context.render(a) for a in arguments.named_children]


def _own(node: Node, function: Node, arguments: Node, context: Context) -> str:
    """A call of the user's function: what it needs from the kernel goes in front."""
    called = context.instance.calls[node]
    others = [context.done[i] for i in context.instance.others.get(node, []) if i in context.done]
    first = context.done.get(called)
    if first is not None and any(o.handed.keys() != first.handed.keys() for o in others if not o.refused):
        context.report("CU2105", node, name=context.source(function))
    if called in called.called() and not is_folded(node, called, context.instance):
        context.report("CU3709", node, name=called.function.name)
    local = _handed(node, context)
    made = [_made(each, index, called, context) for index, each in enumerate(arguments.named_children)]
    texts = rendered_arguments(arguments, context)
    given = [f"{type_}({text})" if type_ else text for type_, text in zip(made, texts, strict=True)]
    callee = called_for_functions(function, called, context) or _callee(function, context)
    if not local and not any(made):
        return f"{callee}{context.render(arguments)}"
    return f"{callee}({', '.join(local + given)})"


def _made(argument: Node, index: int, called: Instance, context: Context) -> str:
    """The type of the value that C++ makes of an argument for a `const float&` to refer to; empty where none is."""
    parameter = next(iter(called.function.parameters[index : index + 1]), None)
    if parameter is None or not (parameter.type.is_reference and parameter.type.const):
        return ""
    if not converts(context.typing, parameter, argument):
        return ""
    return type_name(context.typing.alias(parameter.type).base, argument, context)


def constructed(node: Node, context: Context) -> str | None:
    """The values of an object with a constructor that needs something from the kernel: `View v(data);`."""
    if node not in context.instance.calls:
        return None
    given = [*_handed(node, context), *rendered_arguments(node, context)]
    opening, closing = context.text[node.start], context.text[node.end - 1]
    return f"{opening}{', '.join(given)}{closing}"


def _handed(node: Node, context: Context) -> list[str]:
    """What a call passes on of the kernel's."""
    printed = context.done.get(context.instance.calls[node])
    if printed is None:
        return []
    context.printed.facts |= printed.facts
    local: list[str] = []
    for received in printed.handed.values():
        each = shared_memory.in_callers_terms(received, node, context.instance.calls[node].function, context)
        context.hand_down(context.printed.handed.get(each.name, each))
        local.append(context.printed.handed[each.name].local or each.name)
    return local


def _callee(function: Node, context: Context) -> str:
    if function.kind == "identifier":
        bound = context.typing.functions.get(context.source(function))
        if bound is not None:
            return safe_name(bound)
        if function in context.typing.names.meaning:
            return context.render(function)
        record = context.instance.function.record
        name = context.source(function)
        own = record is not None and any(m.name == name for m in record.all_methods)
        return member_name(name) if own else safe_name(name)
    if function.kind == "template_function":
        return f"{_callee(function.need('name'), context)}{context.render(function.need('arguments'))}"
    if function.kind == "qualified_identifier":
        scope = function.child("scope")
        named = context.typing.alias(Type(context.source(scope))) if scope is not None else None
        known = named is not None and context.declared.record(named) is not None
        inner = function.need("name")
        if known and scope is not None and inner.kind != "qualified_identifier":
            return f"{context.render(scope)}::{member_name(context.source(inner))}"
        return context.render(function) if known else _callee(inner, context)
    return context.render(function)


def _builtin(rows: tuple[Builtin, ...], node: Node, arguments: Node, context: Context) -> str | None:
    given = arguments.named_children
    row = choose(rows, [argument_type(a, context) for a in given])
    narrow = (
        row.double_only
        and row.narrowed is not None
        and (context.options.double == "float" or not _has_double(given, context))
    )
    if row.unused is not None and _does_without_result(row.unused, given[0], node, context):
        return spell_row(row._replace(spelling=row.unused), given, node, context)
    if row.code is not None and not narrow:
        context.report(row.code, node, name=row.name, type=row.name, caveat=row.caveat)
    if row.spelling is None and not narrow:
        return None
    return spell_row(row, given, node, context, narrow=narrow)


def argument_type(node: Node, context: Context) -> Type | None:
    """An argument's type, with double for what the user declared so only: literals become float in Metal."""
    found = context.typing.type_of(node)
    if found is not None and found.base == "double" and not found.shape and _only_literal(node, context):
        return Type("float")
    return found


def _only_literal(node: Node, context: Context) -> bool:
    """Whether a value is double for an unsuffixed literal in it alone: `1e-4`, `max(1e-4, x)`."""
    for part in node.walk():
        if part.kind in ("primitive_type", "type_identifier") and context.source(part) == "double":
            return False
        own_call = part.kind == "call_expression" and part in context.instance.calls
        if own_call or part.kind in ("identifier", "field_expression", "subscript_expression"):
            found = context.typing.type_of(part)
            if found is not None and found.base == "double":
                return False
    return True


def _has_double(given: list[Node], context: Context) -> bool:
    """Whether an argument is of type double; an unsuffixed literal alone does not count."""
    for argument in given:
        found = context.typing.type_of(argument)
        if found is not None and found.base == "double" and not _only_literal(argument, context):
            return True
    return False


def spell_row(row: Builtin, given: list[Node], node: Node, context: Context, *, narrow: bool = False) -> str:
    """One call in Metal, with the index values its spelling asks for handed down."""
    spelling = visible((row.narrowed if narrow else row.spelling) or "", context)
    types = [_spelled(argument_type(a, context)) for a in given]
    texts = converted(row, [context.render(a) for a in given], types)
    details: dict[str, str] = {}
    for name, _ in placeholders(spelling):
        if name in HANDED:
            attribute(context, HANDED[name])
        elif name == "self":
            details[name] = context.render(node.need("function").need("argument"))
        elif name == "scratch":
            details[name] = scratch(context)
        elif name.startswith("space"):
            details[name] = memory(context.pointee(given[int(name[5:])]))
        elif name.startswith("T") and name[1:].isdigit():
            found = context.typing.type_of(given[int(name[1:])])
            details[name] = type_name(found.base, node, context) if found is not None else "auto"
        elif name.startswith("t") and name[1:].isdigit():
            details[name] = template_argument(node.need("function"), int(name[1:]), context)
    _note_overload(spelling, given, context)
    return spell(row, texts, spelling=spelling, **details)


def _does_without_result(spelling: str, pointer: Node, node: Node, context: Context) -> bool:
    """Whether a call's result goes nowhere, and Metal has the function for the memory that it changes."""
    match = _ATOMIC.match(spelling)
    if match is None or node.parent is None or node.parent.kind != "expression_statement":
        return False
    return prelude.takes(match[1], str(context.pointee(pointer) or Space.DEVICE))


def memory(space: Space | None) -> str:
    """The memory behind a pointer; MLX's buffers are device memory however they are handed over."""
    return "device" if space in (None, Space.READ, Space.INOUT) else str(space)


_ATOMIC = re.compile(r"^cu::(atomic_\w+)\(\{0\}")


def _note_overload(spelling: str, given: list[Node], context: Context) -> None:
    """Which overload of an atomic the header needs: the support library has one per space and type."""
    match = _ATOMIC.match(spelling)
    if match is None or not given:
        return
    space = context.pointee(given[0])
    type_ = context.typing.type_of(given[0])
    if space is Space.INOUT:
        overload = "inout"
    elif space in (Space.DEVICE, Space.THREADGROUP):
        row = TYPES.get(type_.base) if type_ is not None else None
        overload = f"{space} {row.metal}" if row is not None and row.metal is not None else f"{space}"
    else:
        overload = ""
    context.printed.facts.add(f"support:{match[1]}({overload})")


def scratch(context: Context) -> str:
    """Threadgroup memory for block-wide votes, one slot for each simdgroup."""
    context.hand_down(
        Handed("threadgroup uint* {}", "vote_scratch", kernel="threadgroup uint vote_scratch[32];")
    )
    return "vote_scratch"


def template_argument(function: Node, index: int, context: Context) -> str:
    """The index-th explicit template argument of a call."""
    listed = next(iter(function.all("template_argument_list")), None)
    given = listed.named_children if listed is not None else []
    return context.render(given[index]) if index < len(given) else "auto"


def choose(rows: tuple[Builtin, ...], types: list[Type | None]) -> Builtin:
    """The overload a call means. An unsuffixed literal counts as the float that Metal makes of it."""
    return select(rows, [_spelled(type_) for type_ in types])


def _spelled(type_: Type | None) -> str | None:
    """A type as the tables spell it: "float", "int*"."""
    if type_ is None:
        return None
    return f"{type_.base}{'*' if type_.shape else ''}"


SPECIAL: dict[str, Special] = {
    **arithmetic.SPECIAL,
    **bindings.SPECIAL,
    **shuffles.SPECIAL,
    **statements.SPECIAL,
}

RULES = {
    "call_expression": call,
    "cast_expression": casts.expression,
    "argument_list": constructed,
    "initializer_list": constructed,
}
