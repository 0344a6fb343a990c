"""One kernel, from its model to the interface that binding prints: roles, prologue, body, header."""

import re
from dataclasses import dataclass

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
from cu2mlx.transpiler.model.declarations import Function, Space, Variable
from cu2mlx.transpiler.model.expressions import Typing
from cu2mlx.transpiler.model.launches import Launch
from cu2mlx.transpiler.render.functions import Printer, kernel_body
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
    roles = {p: _role(p, found.get(p)) for p in function.parameters}
    buffers = {p: _SPACES.get(role, Space.DEVICE) for p, role in roles.items() if p.type.has_pointer}
    instance = printer.spaces.kernel(function, buffers)
    context = printer.context(instance)
    findings = Findings()
    for called in instance.calls.values():
        printer.helper(called)
    context.shared_device_data = any(a.read and a.written for p, a in found.items() if p.type.has_pointer)
    parameters, prologue = _parameters(context, roles, found)
    body, body_lines = split_marks(kernel_body(context, prologue))
    header = Header(printer, instance)
    header_text, header_lines = split_marks(header.text(body))
    parameters += _constants(context)
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


def _parameters(
    context: Context, roles: dict[Variable, Role], found: dict[Variable, Access]
) -> tuple[list[Parameter], list[str]]:
    """MLX's view of the parameters, and the statements that turn what MLX hands over into CUDA's variables."""
    parameters: list[Parameter] = []
    prologue: list[str] = []
    for variable in context.instance.function.parameters:
        role = roles[variable]
        node = variable.holder
        cuda_type = " ".join(context.source(node).split())
        line = context.unit.origin(node.start).line
        type_ = context.typing.alias(variable.type)
        if type_.shape.count("*") > 1 or (type_.has_pointer and not type_.is_pointer):
            context.report("CU2102", node, name=variable.name)
            continue
        dtype, lanes = _dtype(type_.base, variable, context)
        if dtype is None:
            context.report("CU2103", node, name=variable.name, type=type_.base)
            continue
        if role is Role.SCALAR:
            parameters.append(_scalar(variable, dtype, lanes, cuda_type, line, context, prologue))
        else:
            parameters.append(Parameter(variable.name, cuda_type, role, dtype, lanes, line))
            prologue.extend(_buffer(variable, role, dtype, lanes, context))
    return parameters, prologue


def _dtype(base: str, variable: Variable, context: Context) -> tuple[str | None, int]:
    """MLX dtype (or template parameter) and lanes of one element; records travel as bytes."""
    row = TYPES.get(base)
    if row is not None:
        if row.code is not None and context.options.double == "float" and row.narrowed is not None:
            return "float32", row.lanes
        return row.dtype, row.lanes
    function = context.instance.function
    if function.template is not None and base in _type_parameters(function.template, context):
        return base, 1
    record = context.declared.records.get(base.split("<")[0])
    if record is not None and not any(f.type.has_pointer for f in record.fields.values()):
        return "uint8", 0
    return None, 0


def _type_parameters(template: Node, context: Context) -> set[str]:
    return {p.name for p in _template_list(template, context) if p.kind == "type"}


def _scalar(
    variable: Variable,
    dtype: str,
    lanes: int,
    cuda_type: str,
    line: int,
    context: Context,
    prologue: list[str],
) -> Parameter:
    name = variable.name
    if lanes != 1:  # a vector or record by value: bytes in a buffer
        base = type_name(variable.type.base, variable.holder, context)
        local = f"{name}_value"
        context.renames[variable] = local
        prologue.append(f"{base} {local} = *(const device {packed(base)}*){name};")
        return Parameter(name, cuda_type, Role.IN, dtype, lanes, line)
    if _is_changed(variable, context.typing):
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


def _buffer(variable: Variable, role: Role, dtype: str, lanes: int, context: Context) -> list[str]:
    """Statements that give a pointer parameter its CUDA type and, where it is read and written, its contents."""
    name = variable.name
    base = packed(type_name(variable.type.base, variable.holder, context))
    if role is Role.INOUT:
        return [f"cu::inout_ptr<{base}> {name} = cu::make_inout<{base}>({name}_in, {name}_delta);"]
    statements: list[str] = []
    if role is Role.OWNED:
        statements.append(_COPY_IN.format(name=name))
    if lanes != 1:
        local = f"{name}_{base}" if lanes else f"{name}_records"
        context.renames[variable] = local
        space = "const device" if role is Role.IN else "device"
        statements.append(f"{space} {base}* {local} = ({space} {base}*){name};")
    return statements


# Each thread copies the elements that only it touches; elements beyond the grid are nobody's.
_COPY_IN = (
    "for (uint cu_i = thread_position_in_grid.x; cu_i < uint({name}_in_shape[0]); cu_i += threads_per_grid.x) "
    "{name}[cu_i] = {name}_in[cu_i];"
)


def _constants(context: Context) -> list[Parameter]:
    """`__constant__` variables that host code fills become parameters behind the kernel's own."""
    found: list[Parameter] = []
    for fact in sorted(context.printed.facts):
        kind, _, name = fact.partition(":")
        variable = context.declared.globals.get(name)
        if kind != "constant" or variable is None:
            continue
        dtype, lanes = _dtype(context.typing.alias(variable.type).base, variable, context)
        role = Role.IN if variable.type.is_array else Role.SCALAR
        if dtype is None:
            context.report("CU2103", variable.holder, name=name, type=variable.type.base)
            continue
        line = context.unit.origin(variable.holder.start).line
        found.append(
            Parameter(name, " ".join(context.source(variable.holder).split()), role, dtype, lanes, line)
        )
    return found


def _template_list(template: Node, context: Context) -> list[TemplateParameter]:
    found: list[TemplateParameter] = []
    for node in template.need("parameters").named_children:
        default = node.child("default_value") or node.child("default_type")
        spelled = context.source(default) if default is not None else None
        if node.kind in ("type_parameter_declaration", "optional_type_parameter_declaration"):
            name = node.first("type_identifier") or node.child("name")
            kind = "type"
        else:
            name = node.child("declarator")
            kind = "bool" if context.source(node.need("type")) == "bool" else "int"
        if name is not None:
            found.append(TemplateParameter(context.source(name), kind, spelled))
    return found


def _template(function: Function, context: Context) -> tuple[TemplateParameter, ...]:
    return tuple(_template_list(function.template, context)) if function.template is not None else ()


def _cuda_body(function: Function, context: Context, roles: dict[Variable, Role]) -> str:
    """A call of the original as a device function."""
    names = [p.name for p in _template(function, context)]
    arguments = f"<{', '.join(names)}>" if names else ""
    statements = [
        f"for (unsigned long long cu_i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; "
        f"cu_i < {p.name}_size; cu_i += (unsigned long long)gridDim.x * blockDim.x) {p.name}[cu_i] = {p.name}_in[cu_i];"
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
