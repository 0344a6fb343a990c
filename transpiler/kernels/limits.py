"""What MLX cannot bind."""

from cu2mlx.transpiler.binding.interface import Parameter, Role
from cu2mlx.transpiler.binding.signature import MAXIMUM_BUFFERS, buffer_count
from cu2mlx.transpiler.diagnostics import Severity
from cu2mlx.transpiler.model.types import Type, canonical
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.rules.names import template_names
from cu2mlx.transpiler.syntax import Node
from cu2mlx.transpiler.tables.types import TYPES


def report_limits(parameters: list[Parameter], text: str, context: Context) -> None:
    """A kernel without an output, or with more buffers than Metal has; `text` is its body."""
    function = context.instance.function
    refused = any(d.severity is Severity.ERROR for d in context.printed.diagnostics)
    if not refused and all(p.role in (Role.SCALAR, Role.IN) for p in parameters):
        unknown = _unknown_class(context)
        if unknown is not None:  # whose methods may write
            context.report("CU2002", unknown, name=context.source(unknown))
        else:
            context.report("CU5002", function.node, name=function.name)
    count = buffer_count(parameters, text)
    if count > MAXIMUM_BUFFERS:
        context.report("CU5003", function.node, name=function.name, count=count)


def _unknown_class(context: Context) -> Node | None:
    """The type of the first local variable that is of a class from a header that is not here."""
    body, declared = context.instance.function.body, context.declared
    known = declared.type_names.keys() | declared.aliases.keys() | template_names(context)
    for declaration in body.all("declaration") if body is not None else ():
        named = declaration.child("type")
        base = context.typing.alias(Type(canonical(context.source(named)))) if named is not None else None
        if named is None or named.kind != "type_identifier" or base is None:
            continue
        if base.base not in TYPES and base.base not in known and declared.record(base) is None:
            return named
    return None
