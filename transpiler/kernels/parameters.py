"""MLX's view of a kernel's parameters, and the statements that give them CUDA's names and types back."""

import re
from dataclasses import replace

from cu2mlx.transpiler.binding.interface import (
    Parameter,
    Role,
)
from cu2mlx.transpiler.kernels.record_layout import record_layout
from cu2mlx.transpiler.kernels.roles import flattened
from cu2mlx.transpiler.kernels.templates import template_list, type_parameters
from cu2mlx.transpiler.model.declarations import Declarations, Function, Record, Space, Variable
from cu2mlx.transpiler.model.expressions import Typing
from cu2mlx.transpiler.model.linear_index import changes
from cu2mlx.transpiler.model.types import Type, canonical
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.rules.names import member_name, template_names
from cu2mlx.transpiler.rules.types import memory_name, type_name
from cu2mlx.transpiler.tables.reserved import KEYWORDS
from cu2mlx.transpiler.tables.types import TYPES

# PyTorch's views of tensors, whose header is no device code of its own.
_ACCESSORS = frozenset(
    f"{packed}TensorAccessor{bits}" for packed in ("", "Packed", "GenericPacked") for bits in ("", "32", "64")
)


def by_value(function: Function, typing: Typing, declared: Declarations) -> None:
    """Scalars arrive in the constant address space, unless the kernel changes them and so has a copy.

    A parameter called like a word of Metal's is renamed for good: MLX, too, declares it in Metal.
    """
    for variable in function.parameters:
        variable.name = f"{variable.name}_" if variable.name in KEYWORDS else variable.name
        copied = bool(changes(variable, typing)) or variable.type.base in declared.enums
        vector = TYPES[variable.type.base].lanes > 1 if variable.type.base in TYPES else False
        record = declared.record(typing.alias(variable.type))
        if not (variable.type.shape or copied or vector or record is not None):
            variable.space = Space.CONSTANT


def kernel_parameters(
    context: Context, roles: dict[Variable, Role], classes: set[str]
) -> tuple[list[Parameter], list[str]]:
    """MLX's view of the parameters, and the statements that turn what MLX hands over into CUDA's variables."""
    parameters: list[Parameter] = []
    prologue: list[str] = []
    for variable in context.instance.function.parameters:
        record = flattened(variable, context.declared)
        made = context.declared.record(context.typing.alias(variable.type))
        is_class = variable.type.base in classes and not variable.type.shape
        if is_class and (made is None or not made.fields):  # a functor without a state to pass
            prologue.append(f"{variable.type.base} {variable.name};")
        elif record is None:
            _one(variable, variable.name, roles[variable], context, parameters, prologue)
        else:
            _members(variable, record, roles, context, parameters, prologue)
    return parameters, prologue


def _one(
    variable: Variable,
    name: str,
    role: Role,
    context: Context,
    parameters: list[Parameter],
    prologue: list[str],
) -> None:
    """One parameter as MLX gets it."""
    node = variable.holder
    cuda_type = " ".join(context.source(node).split()).rstrip(";")
    line = context.unit.origin(node.start).line
    type_ = context.typing.alias(variable.type)
    if type_.shape.count("*") > 1 or (type_.has_pointer and not type_.is_pointer):
        context.report("CU2102", node, name=variable.name)
        return
    dtype, lanes = dtype_of(type_.base, variable, context)
    if dtype is None:
        row, scoped = TYPES.get(type_.base), set(type_.base.partition("<")[0].split("::"))
        known = context.declared.records.keys() | context.declared.type_names.keys() | template_names(context)
        if row is None and scoped.isdisjoint(known):
            code = "CU2002" if scoped.isdisjoint(_ACCESSORS) else "CU2109"
            context.report(code, node, name=type_.base)
            return
        code = row.code if row is not None and row.code is not None else "CU2103"
        context.report(code, node, name=f"{type_.base} {variable.name}", type=type_.base)
    elif role is Role.SCALAR:
        parameters.append(_scalar(variable, name, dtype, lanes, cuda_type, line, context, prologue))
    else:
        parameter = Parameter(
            name, cuda_type, role, dtype, lanes, line, nullable=variable in context.nullable
        )
        parameters.append(parameter)
        prologue.extend(buffer_statements(variable, name, role, dtype, lanes, context))
        if parameter.nullable:
            prologue.append(f"if (!{parameter.given}) {context.renames.get(variable, name)} = nullptr;")


def _members(
    variable: Variable,
    record: Record,
    roles: dict[Variable, Role],
    context: Context,
    parameters: list[Parameter],
    prologue: list[str],
) -> None:
    """A record with pointers, by value: its used members are parameters, the body puts it together again."""
    type_text = context.render(variable.holder.need("type"))
    context.printed.facts.add(f"open:{record.name}")  # also its private members are set
    prologue.append(f"{type_text} {variable.name};")
    used = _used_words(context)
    bound = _template_arguments(variable, record, context)
    for declared in record.fields.values():
        member = declared
        if member.name not in used:
            continue
        name = f"{variable.name}_{member.name}"
        target = f"{variable.name}.{member_name(member.name)}"
        meant = record.aliases.get(member.type.base) or bound.get(member.type.base)
        if any(each.scope == record.name for each in context.declared.inner.get(member.type.base, ())):
            meant = Type(f"{type_text}::{member.type.base}")  # here, outside of the record
        if meant is not None:
            member = replace(
                member, type=Type(meant.base, member.type.shape + meant.shape, member.type.const)
            )
        if member.type.is_array and not member.type.has_pointer:
            dtype, lanes = dtype_of(context.typing.alias(member.type).base, member, context)
            if dtype is None or lanes != 1:
                context.report("CU2103", member.holder, name=name, type=member.type.base)
                continue
            line = context.unit.origin(member.holder.start).line
            parameters.append(Parameter(name, context.source(member.holder), Role.IN, dtype, lanes, line))
            prologue.append(f"for (int i = 0; i < cu_size_of_{name}; ++i) {target}[i] = {name}[i];")
            continue
        role = roles.get(declared, Role.SCALAR)
        _one(member, name, role, context, parameters, prologue)
        prologue.append(f"{target} = {context.renames.get(member, name)};")


def _template_arguments(variable: Variable, record: Record, context: Context) -> dict[str, Type]:
    """What a record's template parameters are in a variable's type: TensorInfo<int64_t, int>."""
    if record.template is None:
        return {}
    names = [p.name for p in template_list(record.template, context.text)]
    listed = next(iter(variable.holder.need("type").all("template_argument_list")), None)
    given = listed.named_children if listed is not None else []
    return {name: Type(canonical(context.source(node))) for name, node in zip(names, given, strict=False)}


def _used_words(context: Context) -> set[str]:
    """Every identifier of the functions a kernel reaches."""
    words: set[str] = set()
    for instance in context.instance.reached():
        node = instance.function.node
        words |= set(re.findall(r"[A-Za-z_]\w*", context.text[node.start : node.end]))
    return words


def dtype_of(base: str, variable: Variable, context: Context) -> tuple[str | None, int]:
    """MLX dtype (or template parameter) and lanes of one element; records travel as bytes."""
    base = context.typing.alias(Type(base)).base
    row = TYPES.get(base)
    if row is not None:
        if row.code is not None and context.options.double == "float" and row.narrowed is not None:
            return "float32", row.lanes
        return ("bool" if row.dtype == "bool_" else row.dtype), row.lanes
    function = context.instance.function
    if function.template is not None and base in type_parameters(function.template, context):
        return base, 1
    if base == "void" and variable.type.has_pointer:
        return "uint8", 0
    if base in context.declared.enums and not variable.type.has_pointer:
        return "int32", 1
    record = context.declared.record(Type(base))
    if record is not None and not any(f.type.has_pointer for f in record.fields.values()):
        return "uint8", 0
    return None, 0


def _scalar(
    variable: Variable,
    name: str,
    dtype: str,
    lanes: int,
    cuda_type: str,
    line: int,
    context: Context,
    prologue: list[str],
) -> Parameter:
    if lanes != 1:  # a vector or record by value: bytes in a buffer
        base = type_name(variable.type.base, variable.holder, context)
        local = f"{name}_value"
        context.renames[variable] = local
        stored = memory_name(variable.type.base, variable.holder, context)
        record = context.declared.record(context.typing.alias(variable.type))
        copied = record is not None and any(m.copies_object for m in record.methods)
        value = f"cu::stored<{stored}>({name})" if copied else f"*(const device {stored}*){name}"
        prologue.append(f"{base} {local} = {value};")
        layout, members = record_layout(record, context) if record is not None else ("", ())
        return Parameter(name, cuda_type, Role.IN, dtype, lanes, line, layout=layout, members=members)
    if variable.type.base in context.declared.enums:
        local = f"{name}_value"
        context.renames[variable] = local
        prologue.append(f"{variable.type.base} {local} = {variable.type.base}({name});")
    elif changes(variable, context.typing):
        local = f"{name}_value"
        context.renames[variable] = local
        prologue.append(f"{type_name(variable.type.base, variable.holder, context)} {local} = {name};")
    return Parameter(name, cuda_type, Role.SCALAR, dtype, lanes, line)


def buffer_statements(
    variable: Variable, name: str, role: Role, dtype: str, lanes: int, context: Context
) -> list[str]:
    """Statements that give a pointer parameter its CUDA type and, where it is read and written, its contents."""
    meant = context.typing.alias(variable.type)
    type_ = (
        meant if len(meant.shape) > len(variable.type.shape) else variable.type
    )  # `typedef float row_t[4];`
    base = memory_name(type_.base, variable.holder, context)
    rows = "".join(type_.shape[1:])
    if role is Role.INOUT:
        if rows:
            context.report("CU2103", variable.holder, name=name, type=f"{base} (*){rows}")
        base = "uchar" if base == "void" else base  # what a cast makes of it counts
        if lanes == 1:
            return [f"cu::inout_ptr<{base}> {name} = cu::inout<{base}>({name}_in, {name}_delta);"]
        if lanes == 0:
            context.printed.facts.add(f"inout:{base}")
        scalar = type_name(_SCALAR_OF[dtype], variable.holder, context)
        return [
            f"cu::inout_ptr<{base}> {name} = cu::inout_ptr<{scalar}>({name}_in, {name}_delta).as<{base}>();"
        ]
    statements: list[str] = []
    local = name
    if rows:
        local = f"{name}_rows"
        context.renames[variable] = local
        space = "const device" if role is Role.IN else "device"
        statements.append(f"{space} {base} (*{local}){rows} = ({space} {base} (*){rows}){name};")
        if role is Role.OWNED:
            statements.append(_COPY_IN.format(name=name, per="", local=name, values=f"{name}_in"))
        return statements
    if lanes != 1 or (dtype == "int8" and base == "char"):  # MLX's int8_t is another type than char
        local = f"{name}_{base.removeprefix('cu::')}" if lanes else f"{name}_typed"
        context.renames[variable] = local
        space = "const device" if role is Role.IN else "device"
        statements.append(f"{space} {base}* {local} = ({space} {base}*){name};")
    if variable in context.ways_past:
        statements.append(_COPY_REST.format(name=name))
    elif role is Role.OWNED:
        per = {0: f" / sizeof({base})", 1: ""}.get(lanes, f" / {lanes}")
        values = f"{name}_in" if local == name else f"((const device {base}*){name}_in)"
        statements.append(_COPY_IN.format(name=name, per=per, local=local, values=values))
    return statements


_SCALAR_OF = {
    row.dtype: name for name, row in reversed(TYPES.items()) if row.lanes == 1 and row.dtype is not None
}


# Each thread copies the elements that only it touches; elements beyond the grid are nobody's. The second form leaves
# out the thread's first element, which the kernel writes or copies.
_COPY_IN = (
    "for (uint cu_i = thread_position_in_grid.x; cu_i < cu_size_of_{name}{per}; cu_i += threads_per_grid.x) "
    "{local}[cu_i] = {values}[cu_i];"
)
_COPY_REST = (
    "for (uint cu_i = thread_position_in_grid.x + threads_per_grid.x; cu_i < cu_size_of_{name}; "
    "cu_i += threads_per_grid.x) {name}[cu_i] = {name}_in[cu_i];"
)
