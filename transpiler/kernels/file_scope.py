"""Variables at file scope that host code sets: to MLX, parameters behind the kernel's own."""

from cu2mlx.transpiler.binding.interface import Parameter, Role
from cu2mlx.transpiler.kernels.parameters import buffer_statements, dtype_of
from cu2mlx.transpiler.model.declarations import Variable
from cu2mlx.transpiler.rules.context import Context, Handed
from cu2mlx.transpiler.rules.types import memory_name


def name_typed(roles: dict[Variable, Role], context: Context) -> None:
    """Give constants that are no plain row of scalars a name of their own in the kernel, which points to rows or
    vectors where MLX's buffer points to scalars. To be called before the statements are printed."""
    for variable, role in roles.items():
        if variable.is_global and role is Role.IN and _is_typed(variable, context):
            context.renames[variable] = f"{variable.name}_typed"
            context.hand_down(Handed("", variable.name, f"{variable.name}_typed"))


def _is_typed(variable: Variable, context: Context) -> bool:
    _, lanes = dtype_of(context.typing.alias(variable.type).base, variable, context)
    return lanes != 1 or len(variable.type.dimensions) > 1


def globals_of(context: Context, roles: dict[Variable, Role], prologue: list[str]) -> list[Parameter]:
    """`__device__` variables, and `__constant__` ones without a value, that the kernel reaches."""
    found: list[Parameter] = []
    facts = context.printed.facts
    for variable, role in roles.items():
        if not variable.is_global or f"global:{variable.name}" not in facts:
            continue
        dtype, lanes = dtype_of(context.typing.alias(variable.type).base, variable, context)
        if dtype is None:
            context.report("CU2103", variable.holder, name=variable.name, type=variable.type.base)
            continue
        line = context.unit.origin(variable.holder.start).line
        source = " ".join(context.source(variable.holder).split()).rstrip(";")
        found.append(Parameter(variable.name, source, role, dtype, lanes, line))
        if variable in context.renames:
            prologue.append(_typed(variable, context))
        else:
            prologue.extend(buffer_statements(variable, variable.name, role, dtype, lanes, context))
    return found


def _typed(variable: Variable, context: Context) -> str:
    """The pointer to rows or vectors that `name_typed` named."""
    base = f"const device {memory_name(variable.type.base, variable.holder, context)}"
    inner = "".join(f"[{d}]" for d in variable.type.dimensions[1:])
    name = context.renames[variable]
    if not inner:
        return f"{base}* {name} = ({base}*){variable.name};"
    return f"{base} (*{name}){inner} = ({base} (*){inner}){variable.name};"
