"""One kernel, from its model to the interface that binding prints: roles, prologue, body, header."""

import re
from dataclasses import dataclass, replace

from cu2mlx.transpiler.binding.interface import (
    KernelInterface,
    LaunchSite,
    Parameter,
    Role,
    TemplateParameter,
)
from cu2mlx.transpiler.diagnostics import Diagnostic, Findings, Severity
from cu2mlx.transpiler.model.accesses import Access, effects
from cu2mlx.transpiler.model.address_spaces import Instance
from cu2mlx.transpiler.model.declarations import Declarations, Function, Record, Space, Variable
from cu2mlx.transpiler.model.expressions import Typing
from cu2mlx.transpiler.model.launches import Launch
from cu2mlx.transpiler.model.types import Type, canonical
from cu2mlx.transpiler.render.functions import Printer, kernel_body, kernel_statements
from cu2mlx.transpiler.render.header import Header
from cu2mlx.transpiler.render.original import Original
from cu2mlx.transpiler.render.text import split_marks
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.rules.types import packed, type_name
from cu2mlx.transpiler.syntax import Node
from cu2mlx.transpiler.tables.types import TYPES

_SPACES = {Role.IN: Space.READ, Role.INOUT: Space.INOUT}


@dataclass(frozen=True, slots=True)
class TranslatedKernel:
    """`interface` is None where the kernel was refused; `lines` maps body and header lines to unit offsets."""

    function: Function
    interface: KernelInterface | None
    diagnostics: tuple[Diagnostic, ...]
    original: str
    body_lines: dict[int, int]
    header_lines: dict[int, int]


def translate_kernel(printer: Printer, function: Function, launches: list[Launch]) -> TranslatedKernel:
    """Translate one kernel and everything it reaches."""
    first = printer.spaces.kernel(function)
    found = effects(first, {})
    roles = _roles(function, found, printer)
    buffers = {v: _SPACES.get(role, Space.DEVICE) for v, role in roles.items() if role is not Role.SCALAR}
    instance = printer.spaces.kernel(function, buffers)
    context = printer.context(instance)
    findings = Findings()
    for called in instance.called():
        printer.helper(called)
    context.shared_device_data = any(a.read and a.written for a in found.values())
    context.template_casts = _enum_parameters(function, context)
    parameters, prologue = _parameters(context, roles)
    statements = kernel_statements(context)
    parameters += _globals(context, roles, prologue)
    body, body_lines = split_marks(kernel_body(context, prologue, statements))
    header = Header(printer, instance)
    header_text, header_lines = split_marks(header.text(body))
    findings.extend(context.printed.diagnostics)
    findings.extend(header.diagnostics)
    refused = any(d.severity is Severity.ERROR for d in findings.found)
    original = Original(printer).text(instance)
    interface = None
    if not refused:
        text = printer.unit.text
        interface = KernelInterface(
            name=function.name,
            parameters=tuple(parameters),
            template=_template(function, context),
            metal_body=body,
            metal_header=header_text,
            cuda_body=_cuda_body(function, context, roles),
            cuda_header=original.replace("__global__", "__device__"),
            dynamic_shared="dynamic_shared" in context.printed.handed,
            max_threads=_launch_bounds(text[function.outer.start : function.declarator.start]),
            launches=tuple(_site(each, printer) for each in launches),
            documentation=_comment_before(function.outer, text),
            line=printer.unit.origin(function.node.start).line,
        )
    return TranslatedKernel(function, interface, tuple(findings.found), original, body_lines, header_lines)


_ADDERS = frozenset({"atomicAdd", "atomicAdd_block", "atomicAdd_system"})


def _role(parameter: Variable, access: Access | None) -> Role:
    if not parameter.type.has_pointer:
        return Role.SCALAR
    if access is None or not (access.written or access.atomics):
        return Role.IN
    if access.atomics:
        only_added = access.atomics <= _ADDERS and not access.atomic_result_used
        return Role.ACCUMULATED if only_added and not access.read and not access.written else Role.INOUT
    if not access.read:
        return Role.OUT
    return Role.OWNED if access.owned else Role.INOUT


def _roles(function: Function, found: dict[Variable, Access], printer: Printer) -> dict[Variable, Role]:
    """Roles of the parameters, of the pointer members of record parameters, and of globals."""
    roles = {p: _role(p, found.get(p)) for p in function.parameters}
    for parameter in function.parameters:
        record = flattened(parameter, printer.declared)
        for member in record.fields.values() if record is not None else ():
            if member.type.has_pointer:
                roles[member] = _role(member, found.get(member))
    for variable in printer.declared.globals.values():
        unset = variable.initialiser is None and variable.space in (Space.CONSTANT, Space.DEVICE)
        if variable in found and (unset or variable.space is Space.DEVICE):
            access = found[variable]
            changed = access.written or bool(access.atomics)
            roles[variable] = Role.INOUT if changed else Role.IN
    return roles


def flattened(parameter: Variable, declared: Declarations) -> Record | None:
    """The record whose members become parameters of their own: one passed by value, with pointers inside."""
    record = declared.record(parameter.type) if not parameter.type.has_pointer else None
    if record is not None and any(f.type.has_pointer for f in record.fields.values()):
        return record
    return None


def _parameters(context: Context, roles: dict[Variable, Role]) -> tuple[list[Parameter], list[str]]:
    """MLX's view of the parameters, and the statements that turn what MLX hands over into CUDA's variables."""
    parameters: list[Parameter] = []
    prologue: list[str] = []
    for variable in context.instance.function.parameters:
        record = flattened(variable, context.declared)
        if record is None:
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
    dtype, lanes = _dtype(type_.base, variable, context)
    if dtype is None:
        context.report("CU2103", node, name=variable.name, type=type_.base)
    elif role is Role.SCALAR:
        parameters.append(_scalar(variable, name, dtype, lanes, cuda_type, line, context, prologue))
    else:
        parameters.append(Parameter(name, cuda_type, role, dtype, lanes, line))
        prologue.extend(_buffer(variable, name, role, dtype, lanes, context))


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
    prologue.append(f"{type_text} {variable.name};")
    used = _used_words(context)
    bound = _template_arguments(variable, record, context)
    for declared in record.fields.values():
        member = declared
        if member.name not in used:
            continue
        name = f"{variable.name}_{member.name}"
        target = f"{variable.name}.{member.name}"
        meant = record.aliases.get(member.type.base) or bound.get(member.type.base)
        if meant is not None:
            member = replace(
                member, type=Type(meant.base, member.type.shape + meant.shape, member.type.const)
            )
        if member.type.is_array and not member.type.has_pointer:
            dtype, lanes = _dtype(context.typing.alias(member.type).base, member, context)
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
    names = [p.name for p in _template_list(record.template, context)]
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


def _dtype(base: str, variable: Variable, context: Context) -> tuple[str | None, int]:
    """MLX dtype (or template parameter) and lanes of one element; records travel as bytes."""
    base = context.typing.alias(Type(base)).base
    row = TYPES.get(base)
    if row is not None:
        if row.code is not None and context.options.double == "float" and row.narrowed is not None:
            return "float32", row.lanes
        return ("bool" if row.dtype == "bool_" else row.dtype), row.lanes
    function = context.instance.function
    if function.template is not None and base in _type_parameters(function.template, context):
        return base, 1
    if base == "void" and variable.type.has_pointer:
        return "uint8", 0
    if base in context.declared.enums and not variable.type.has_pointer:
        return "int32", 1
    record = context.declared.record(Type(base))
    if record is not None and not any(f.type.has_pointer for f in record.fields.values()):
        return "uint8", 0
    return None, 0


def _type_parameters(template: Node, context: Context) -> set[str]:
    return {p.name for p in _template_list(template, context) if p.kind == "type"}


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
        prologue.append(f"{base} {local} = *(const device {packed(base)}*){name};")
        return Parameter(name, cuda_type, Role.IN, dtype, lanes, line)
    if variable.type.base in context.declared.enums:
        local = f"{name}_value"
        context.renames[variable] = local
        prologue.append(f"{variable.type.base} {local} = {variable.type.base}({name});")
    elif _is_changed(variable, context.typing):
        local = f"{name}_value"
        context.renames[variable] = local
        prologue.append(f"{type_name(variable.type.base, variable.holder, context)} {local} = {name};")
    else:
        variable.space = Space.CONSTANT
    return Parameter(name, cuda_type, Role.SCALAR, dtype, lanes, line)


def _is_changed(variable: Variable, typing: Typing) -> bool:
    """Whether a by-value parameter is assigned, or its address taken."""
    for node, meant in typing.names.meaning.items():
        if meant is not variable or node.parent is None:
            continue
        parent = node.parent
        if parent.kind == "update_expression" or (
            parent.kind == "assignment_expression" and node.field == "left"
        ):
            return True
        if parent.kind == "pointer_expression" and parent.children[0].kind == "&":
            return True
    return False


def _buffer(variable: Variable, name: str, role: Role, dtype: str, lanes: int, context: Context) -> list[str]:
    """Statements that give a pointer parameter its CUDA type and, where it is read and written, its contents."""
    base = packed(type_name(variable.type.base, variable.holder, context))
    if role is Role.INOUT:
        if lanes == 1:
            return [f"cu::inout_ptr<{base}> {name} = cu::inout<{base}>({name}_in, {name}_delta);"]
        scalar = type_name(_SCALAR_OF[dtype], variable.holder, context)
        return [
            f"cu::inout_ptr<{base}> {name} = cu::inout_ptr<{scalar}>({name}_in, {name}_delta).as<{base}>();"
        ]
    statements: list[str] = []
    if role is Role.OWNED:
        statements.append(_COPY_IN.format(name=name))
    if lanes != 1:
        local = f"{name}_{base}" if lanes else f"{name}_typed"
        context.renames[variable] = local
        space = "const device" if role is Role.IN else "device"
        statements.append(f"{space} {base}* {local} = ({space} {base}*){name};")
    return statements


_SCALAR_OF = {
    row.dtype: name for name, row in reversed(TYPES.items()) if row.lanes == 1 and row.dtype is not None
}

# Each thread copies the elements that only it touches; elements beyond the grid are nobody's.
_COPY_IN = (
    "for (uint cu_i = thread_position_in_grid.x; cu_i < cu_size_of_{name}; cu_i += threads_per_grid.x) "
    "{name}[cu_i] = {name}_in[cu_i];"
)


def _globals(context: Context, roles: dict[Variable, Role], prologue: list[str]) -> list[Parameter]:
    """`__device__` variables, and `__constant__` ones that host code fills: parameters behind the kernel's own."""
    found: list[Parameter] = []
    facts = context.printed.facts
    for variable, role in roles.items():
        if not variable.is_global or f"global:{variable.name}" not in facts:
            continue
        dtype, lanes = _dtype(context.typing.alias(variable.type).base, variable, context)
        if dtype is None:
            context.report("CU2103", variable.holder, name=variable.name, type=variable.type.base)
            continue
        line = context.unit.origin(variable.holder.start).line
        source = " ".join(context.source(variable.holder).split()).rstrip(";")
        found.append(Parameter(variable.name, source, role, dtype, lanes, line))
        prologue.extend(_buffer(variable, variable.name, role, dtype, lanes, context))
    return found


def _template_list(template: Node, context: Context) -> list[TemplateParameter]:
    found: list[TemplateParameter] = []
    for node in template.need("parameters").named_children:
        default = node.child("default_value") or node.child("default_type")
        spelled = context.source(default) if default is not None else None
        if (
            "type_parameter_declaration" in node.kind
            or node.kind == "template_template_parameter_declaration"
        ):
            name = node.first("type_identifier") or node.child("name")
            kind = "type"
        elif node.child("type") is None:
            continue
        else:
            name = node.child("declarator")
            kind = "bool" if context.source(node.need("type")) == "bool" else "int"
        if name is not None:
            found.append(TemplateParameter(context.source(name), kind, spelled))
    return found


def _template(function: Function, context: Context) -> tuple[TemplateParameter, ...]:
    return tuple(_template_list(function.template, context)) if function.template is not None else ()


def _enum_parameters(function: Function, context: Context) -> dict[str, str]:
    """Template parameters of enum type: MLX's template values are ints."""
    found: dict[str, str] = {}
    parameters = function.template.need("parameters") if function.template is not None else None
    for node in parameters.named_children if parameters is not None else []:
        specified, name = node.child("type"), node.child("declarator")
        if (
            specified is not None
            and name is not None
            and specified.kind in ("type_identifier", "qualified_identifier")
        ):
            base = canonical(context.source(specified))
            if base not in TYPES:
                found[context.source(name)] = context.render(specified)
    return found


def _cuda_body(function: Function, context: Context, roles: dict[Variable, Role]) -> str:
    """A call of the original as a device function."""
    names = [p.name for p in _template(function, context)]
    arguments = f"<{', '.join(names)}>" if names else ""
    statements = [
        f"for (unsigned long long cu_i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; "
        f"cu_i < cu_size_of_{p.name}; cu_i += (unsigned long long)gridDim.x * blockDim.x) {p.name}[cu_i] = {p.name}_in[cu_i];"
        for p, role in roles.items()
        if role is Role.OWNED
    ]
    passed = ", ".join(p.name for p in function.parameters)
    return "\n".join([*statements, f"{function.name}{arguments}({passed});"]) + "\n"


def _launch_bounds(head: str) -> int | None:
    match = re.search(r"__launch_bounds__\s*\(\s*(\d+)", head)
    return int(match.group(1)) if match else None


def _site(launch: Launch, printer: Printer) -> LaunchSite:
    return LaunchSite(
        line=printer.unit.origin(launch.node.start).line,
        grid=launch.grid,
        block=launch.block,
        shared=launch.shared,
        template_arguments=launch.template_arguments,
        arguments=launch.arguments,
        locals=launch.locals,
        function=launch.function,
        function_parameters=launch.function_parameters,
    )


def _comment_before(outer: Node, text: str) -> str:
    """The comment that stands right above a kernel, without its comment marks."""
    siblings = outer.parent.children if outer.parent is not None else []
    lines: list[str] = []
    position = siblings.index(outer) - 1 if outer in siblings else -1
    end = outer.start
    while (
        position >= 0
        and siblings[position].kind == "comment"
        and text[siblings[position].end : end].count("\n") <= 1
    ):
        lines.insert(0, text[siblings[position].start : siblings[position].end])
        end = siblings[position].start
        position -= 1
    stripped = (
        re.sub(r"^\s*(?:/\*+|\*/|\*|//+)\s?|\s*\*/\s*$", "", line) for line in "\n".join(lines).split("\n")
    )
    return "\n".join(stripped).strip()
